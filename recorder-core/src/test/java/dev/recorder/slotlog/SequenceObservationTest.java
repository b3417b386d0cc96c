package dev.recorder.slotlog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.Snapshot;
import dev.recorder.slotlog.SequenceObservation.SnapshotLook;
import org.junit.jupiter.api.Test;

/** Whether rows may have come between two looks, of which each test shows one case. */
class SequenceObservationTest {
  @Test
  void nothingHasComeWhileNothingIsCommittedAndNoIdIsDrawn() {
    SequenceObservation mark = seen("100:100:", 100, 7);

    assertThat(then(mark, "100:100:", 100, 7).mayHaveBroughtSince(mark, 1)).isFalse();
  }

  @Test
  void anIdThatIsDrawnIsARowThatMayHaveCome() {
    SequenceObservation mark = seen("100:100:", 100, 7);

    assertThat(then(mark, "101:101:", 101, 8).mayHaveBroughtSince(mark, 1)).isTrue();
  }

  @Test
  void commitsOfOthersAreNoRowsOfThisLogOnceItsCounterHasStoodStill() {
    SequenceObservation mark = then(seen("100:100:", 100, 7), "100:100:", 100, 7);

    assertThat(then(mark, "300:300:", 300, 7).mayHaveBroughtSince(mark, 1)).isFalse();
  }

  /** It drew its id, was looked for in vain, and commits now. */
  @Test
  void aTransactionThatRanWhenTheCounterMovedMayBringARowWhenItEnds() {
    SequenceObservation moved = then(seen("100:100:", 100, 7), "100:105:100,102", 105, 8);
    SequenceObservation stood = then(moved, "100:110:100,102", 110, 8);
    assertThat(stood.mayHaveBroughtSince(moved, 1)).isTrue(); // Of those numbered 105 to 109.

    SequenceObservation same = then(stood, "100:120:100,102", 120, 8);
    assertThat(same.mayHaveBroughtSince(stood, 1)).isFalse();

    SequenceObservation ended = then(same, "102:130:102", 130, 8);
    assertThat(ended.mayHaveBroughtSince(same, 1)).isTrue();
    assertThat(then(ended, "102:140:102", 140, 8).mayHaveBroughtSince(ended, 1)).isFalse();
  }

  /** Beyond what a snapshot lists: nothing above it had ended when it was taken. */
  @Test
  void aTransactionWithAHighNumberMayBringARowWhenItEnds() {
    SequenceObservation mark = then(seen("100:100:", 106, 7), "100:100:", 106, 7);

    assertThat(then(mark, "100:106:100,101,102,103,104", 106, 7).mayHaveBroughtSince(mark, 1))
        .isTrue();
    assertThat(then(mark, "100:107:100,101,102,103,104,105", 107, 7).mayHaveBroughtSince(mark, 1))
        .isFalse();
  }

  /** Until the look after it nobody knows which transactions may have drawn the last id. */
  @Test
  void rightAfterTheCounterMovedEachCommitMayBeItsRow() {
    SequenceObservation moved = then(seen("100:100:", 100, 7), "100:100:", 103, 8);

    assertThat(then(moved, "103:103:", 103, 8).mayHaveBroughtSince(moved, 1)).isTrue();
  }

  @Test
  void forManyRowsTheIdsAreCounted() {
    SequenceObservation mark = seen("100:100:", 100, 7);

    assertThat(then(mark, "150:150:", 150, 56).mayHaveBroughtSince(mark, 50)).isFalse();
    assertThat(then(mark, "151:151:", 151, 57).mayHaveBroughtSince(mark, 50)).isTrue();
  }

  @Test
  void anEarlierStateOfTheDatabaseTellsNothingSoRowsMayHaveCome() {
    SequenceObservation mark = seen("100:100:", 100, 7);

    assertThat(then(mark, "100:100:", 100, 6).mayHaveBroughtSince(mark, 1)).isTrue();
    assertThat(then(mark, "90:90:", 90, 7).mayHaveBroughtSince(mark, 1)).isTrue();
  }

  @Test
  void withoutACounterItCannotTell() {
    SequenceObservation mark = seen("100:100:", 100, 7);
    SequenceObservation blind = mark.then(new SnapshotLook(Snapshot.parse("100:100:"), 100, null));

    assertThat(blind.canTellSince(mark)).isFalse();
    assertThat(then(blind, "100:100:", 100, 7).canTellSince(blind)).isFalse();
    assertThat(then(mark, "100:100:", 100, 7).canTellSince(mark)).isTrue();
  }

  private static SequenceObservation seen(String snapshot, long nextXid, long drawn) {
    return SequenceObservation.first(look(snapshot, nextXid, drawn));
  }

  private static SequenceObservation then(
      SequenceObservation before, String snapshot, long nextXid, long drawn) {
    return before.then(look(snapshot, nextXid, drawn));
  }

  private static SnapshotLook look(String snapshot, long nextXid, long drawn) {
    return new SnapshotLook(Snapshot.parse(snapshot), nextXid, drawn);
  }
}
