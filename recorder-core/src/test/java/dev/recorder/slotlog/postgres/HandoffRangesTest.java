package dev.recorder.slotlog.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.Position;
import dev.recorder.handoff.Snapshot;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandoffRangesTest {
  private static final String MAX = Long.toString(Long.MAX_VALUE);

  @Test
  void whatBeganSinceIsOneRangeThatBeginsWhereTheEarlierSnapshotEnds() {
    assertThat(between("100:100:", "120:120:"))
        .containsExactly("(h.xid, h.id) > ('99'::xid8, " + MAX + ") AND h.xid < '120'::xid8");
  }

  @Test
  void nothingBeganAndNothingRanMeansNothingToRead() {
    assertThat(between("100:100:", "100:100:")).isEmpty();
  }

  @Test
  void whatRanAtTheEarlierSnapshotComesFirstByItsList() {
    assertThat(between("90:100:90,95", "120:120:"))
        .containsExactly(
            "h.xid = ANY('{90,95}'::xid8[])",
            "(h.xid, h.id) > ('99'::xid8, " + MAX + ") AND h.xid < '120'::xid8");
  }

  @Test
  void whatStillRunsIsNotLookedAt() {
    assertThat(between("90:100:90,95", "90:100:90")).containsExactly("h.xid = ANY('{95}'::xid8[])");
    assertThat(between("90:100:90", "90:100:90")).isEmpty();
  }

  @Test
  void anOpenWindowGoesOnBehindItsLastRow() {
    assertThat(open("100:100:", "120:120:", 110, 7))
        .containsExactly("(h.xid, h.id) > ('110'::xid8, 7) AND h.xid < '120'::xid8");
  }

  @Test
  void anOpenWindowGoesOnWithinATransactionThatRanAndLeavesOutThoseBeforeIt() {
    assertThat(open("90:100:90,95,97", "120:120:", 95, 7))
        .containsExactly(
            "(h.xid, h.id) > ('95'::xid8, 7) AND h.xid < '96'::xid8",
            "h.xid = ANY('{97}'::xid8[])",
            "(h.xid, h.id) > ('99'::xid8, " + MAX + ") AND h.xid < '120'::xid8");
  }

  @Test
  void anOpenWindowThatIsPastWhatRanDoesNotLookThereAgain() {
    assertThat(open("90:100:90,95", "120:120:", 110, 7))
        .containsExactly("(h.xid, h.id) > ('110'::xid8, 7) AND h.xid < '120'::xid8");
  }

  @Test
  void whatLastsSinceAReadFoundNothingIsGoneRound() {
    assertThat(between("100:100:", "104:120:104,110,115", "104:112:104,110"))
        .containsExactly(
            "(h.xid, h.id) > ('99'::xid8, " + MAX + ") AND h.xid < '104'::xid8",
            "(h.xid, h.id) > ('104'::xid8, " + MAX + ") AND h.xid < '110'::xid8",
            "(h.xid, h.id) > ('110'::xid8, " + MAX + ") AND h.xid < '120'::xid8");
  }

  @Test
  void whatHasCommittedSinceIsRead() {
    assertThat(between("100:100:", "110:120:110", "104:112:104,110"))
        .containsExactly(
            "(h.xid, h.id) > ('99'::xid8, " + MAX + ") AND h.xid < '110'::xid8",
            "(h.xid, h.id) > ('110'::xid8, " + MAX + ") AND h.xid < '120'::xid8");
  }

  @Test
  void ofManyThatLastThoseThatBeganFirstAreGoneRound() {
    String many = "101,102,103,104,105,106,107,108,109,110";

    assertThat(between("100:100:", "101:120:" + many, "101:120:" + many))
        .hasSize(9)
        .last()
        .isEqualTo("(h.xid, h.id) > ('108'::xid8, " + MAX + ") AND h.xid < '120'::xid8");
  }

  @Test
  void anOpenWindowGoesOnBehindItsLastRowAndRoundWhatComesAfterIt() {
    Snapshot to = Snapshot.parse("104:120:104,115");
    Position position = new Position(Snapshot.parse("100:100:"), to, 110, 7);

    assertThat(HandoffRanges.between(position, to, new LongTransactions(to)))
        .containsExactly(
            "(h.xid, h.id) > ('110'::xid8, 7) AND h.xid < '115'::xid8",
            "(h.xid, h.id) > ('115'::xid8, " + MAX + ") AND h.xid < '120'::xid8");
  }

  private static List<String> between(String from, String to, String inVain) {
    return HandoffRanges.between(
        Position.doneUpTo(Snapshot.parse(from)),
        Snapshot.parse(to),
        new LongTransactions(Snapshot.parse(inVain)));
  }

  private static List<String> between(String from, String to) {
    return HandoffRanges.between(Position.doneUpTo(Snapshot.parse(from)), Snapshot.parse(to));
  }

  private static List<String> open(String from, String to, long xid, long id) {
    Snapshot end = Snapshot.parse(to);
    return HandoffRanges.between(new Position(Snapshot.parse(from), end, xid, id), end);
  }
}
