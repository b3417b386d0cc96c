package dev.recorder.app.harness.proof;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.recorder.app.harness.Bucket.Row;
import dev.recorder.app.harness.Bucket.Slot;
import dev.recorder.app.harness.RecordedSlots;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One producer commits 0/0 (rows 0 and 1), then 0/1; another commits 1/0 meanwhile. */
class OracleTest {
  private final Books books = new Books(List.of("orders", "events"));
  private final Book first = books.open();
  private final Book second = books.open();
  private final List<String> faults = new ArrayList<>();
  private final List<Slot> slots = new ArrayList<>();

  OracleTest() {
    first.committed(first.begin(0, 10), 0b11, 20);
    first.committed(first.begin(0, 30), 0b1, 40);
    second.committed(second.begin(0, 15), 0b1, 50);
  }

  @Test
  void aFaithfulLogIsFlawless() {
    Proof proof = examine(slot(1, "0/0/0", "0/0/1"), slot(2, "0/1/0", "1/0/0"));

    assertThat(proof).isEqualTo(new Proof(4, 2, 0, 0, 0, 0, 0, List.of()));
    assertThat(proof.holds()).isTrue();
    assertThat(faults).isEmpty();
  }

  @Test
  void transactionsThatRanSideBySideComeInEitherOrder() {
    assertFigures(0, 0, 0, 0, slot(1, "1/0/0", "0/0/0"), slot(2, "0/0/1", "0/1/0"));
  }

  @Test
  void goesOnWhereItStopped() {
    Oracle oracle = oracle();
    slots.add(slot(1, "0/0/0", "0/0/1"));
    assertThat(oracle.proof().lost()).isEqualTo(2);

    slots.add(slot(2, "0/1/0", "1/0/0"));
    assertThat(oracle.proof().lost()).isZero();
    assertThat(oracle.proof().duplicated()).isZero();
  }

  @Test
  void aMissingRowIsLost() {
    assertFigures(1, 0, 0, 0, slot(1, "0/0/0"), slot(2, "0/1/0", "1/0/0"));
    assertThat(faults).singleElement(as(STRING)).contains("rows are lost");
  }

  @Test
  void aRowThatIsThereTwiceIsADuplicate() {
    assertFigures(0, 1, 0, 0, slot(1, "0/0/0", "0/0/1"), slot(2, "0/0/1", "0/1/0", "1/0/0"));
  }

  @Test
  void aRowBehindOneThatBeganAfterItsCommitIsOutOfOrder() {
    assertFigures(0, 0, 2, 0, slot(1, "0/1/0", "0/0/0", "0/0/1", "1/0/0"));
  }

  @Test
  void aRowBehindALaterOneOfItsTransactionIsOutOfOrder() {
    assertFigures(0, 0, 1, 0, slot(1, "0/0/1", "0/0/0", "0/1/0", "1/0/0"));
  }

  @Test
  void rowsThatWereRolledBackAreForeign() {
    int rolledBack = first.begin(0, 60);
    int elsewhere = first.begin(1, 70);
    first.committed(elsewhere, 0b1, 80);
    String[] foreign = {
      "0/" + rolledBack + "/0", "0/" + elsewhere + "/0", "1/0/1", "9/9/9", "tick"
    };
    assertFigures(1, 0, 0, 5, slot(1, "0/0/0", "0/0/1", "0/1/0", "1/0/0"), slot(2, foreign));
  }

  @Test
  void aCommitWithoutAnAnswerCountsAsItIsResolvedAndNeverAsEarlier() {
    int committed = first.begin(0, 60);
    first.unknown(committed, 0b1);
    first.resolve(committed, true);
    second.committed(second.begin(0, 90), 0b1, 100);
    assertFigures(0, 0, 0, 0, slot(1, "0/0/0", "0/0/1", "0/1/0", "1/0/0", "1/1/0", "0/2/0"));
  }

  @Test
  void aCommitThatWasLostWithItsDatabaseMayBeThereOnce() {
    books.doubtAll();
    first.resolve(0, true);
    first.resolve(1, false);
    second.resolve(0, false);
    assertThat(examine(slot(1, "0/0/0", "0/0/1", "0/1/0")))
        .isEqualTo(new Proof(2, 1, 0, 0, 0, 0, 1, List.of()));
    assertThat(examine(slot(2, "0/1/0")).duplicated()).isEqualTo(1);
  }

  @Test
  void aPayloadThatIsAnothersIsAFault() {
    Row changed = new Row("0/0/1", "0/0/0");
    examine(
        new Slot(1, 1, "a", List.of(new Row("0/0/0", "0/0/0"), changed)),
        slot(2, "0/1/0", "1/0/0"));

    assertThat(faults).singleElement(as(STRING)).contains("row 0/0/1 with the payload of 0/0/0");
  }

  @Test
  void aGapIsAFault() {
    Proof proof = examine(slot(1, "0/0/0", "0/0/1"), slot(3, "0/1/0", "1/0/0"));

    assertThat(faults).singleElement(as(STRING)).contains("slot 3 stands where slot 2 should be");
    assertThat(proof.holds()).isFalse();
  }

  @Test
  void anOlderEpochAfterANewerIsAFault() {
    examine(
        new Slot(1, 2, "b", slot(1, "0/0/0", "0/0/1").rows()),
        new Slot(2, 1, "a", slot(2, "0/1/0", "1/0/0").rows()));

    assertThat(faults).singleElement(as(STRING)).contains("slot 2 is of epoch 1 after 2");
  }

  private record Kept(List<Slot> slots) implements RecordedSlots {
    @Override
    public List<Long> numbers() {
      return slots.stream().map(Slot::number).toList();
    }

    @Override
    public Slot slot(long number) {
      return slots.stream().filter(slot -> slot.number() == number).findFirst().orElseThrow();
    }
  }

  /** The log of events is empty. */
  private Oracle oracle() {
    return new Oracle(
        books, recorder -> new Kept(recorder.equals("orders") ? slots : List.of()), faults::add);
  }

  private Proof examine(Slot... more) {
    slots.addAll(List.of(more));
    return oracle().proof();
  }

  private static Slot slot(long number, String... keys) {
    return new Slot(number, 1, "a", Arrays.stream(keys).map(key -> new Row(key, key)).toList());
  }

  private void assertFigures(
      long lost, long duplicated, long outOfOrder, long foreign, Slot... found) {
    assertThat(examine(found))
        .extracting(Proof::lost, Proof::duplicated, Proof::outOfOrder, Proof::foreign)
        .containsExactly(lost, duplicated, outOfOrder, foreign);
  }
}
