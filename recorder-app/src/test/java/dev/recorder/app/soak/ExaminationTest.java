package dev.recorder.app.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.harness.Bucket.Row;
import dev.recorder.app.harness.Bucket.Slot;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One application commits 0/0 (rows 0 and 1), then 0/1; another commits 1/0 meanwhile. */
class ExaminationTest {
  private final Book first = new Book();
  private final Book second = new Book();
  private final Journal journal = new Journal("soak", 0);
  private final Ledger ledger = new Ledger(List.of(first, second), List.of("orders", "events"));
  private final Examination examination = new Examination("orders", 0, ledger, journal);

  ExaminationTest() {
    first.committed(first.begin(0, 10), 0b11, 20);
    first.committed(first.begin(0, 30), 0b1, 40);
    second.committed(second.begin(0, 15), 0b1, 50);
  }

  @AfterEach
  void close() {
    journal.close();
  }

  @Test
  void aFaithfulLogIsFlawless() {
    examine(slot(1, "0/0/0", "0/0/1"), slot(2, "0/1/0", "1/0/0"));

    assertThat(examination.slots()).isEqualTo(2);
    assertFigures(0, 0, 0, 0);
    assertThat(journal.isClean()).isTrue();
  }

  @Test
  void transactionsThatRanSideBySideComeInEitherOrder() {
    examine(slot(1, "1/0/0", "0/0/0"), slot(2, "0/0/1", "0/1/0"));

    assertFigures(0, 0, 0, 0);
  }

  @Test
  void goesOnWhereItStopped() {
    Slot one = slot(1, "0/0/0", "0/0/1");
    examine(one);
    assertFigures(2, 0, 0, 0);

    examine(one, slot(2, "0/1/0", "1/0/0"));
    assertFigures(0, 0, 0, 0);
  }

  @Test
  void aMissingRowIsLost() {
    examine(slot(1, "0/0/0"), slot(2, "0/1/0", "1/0/0"));
    examination.blameTheLost();

    assertFigures(1, 0, 0, 0);
    assertThat(journal.isClean()).isFalse();
  }

  @Test
  void aRowThatIsThereTwiceIsADuplicate() {
    examine(slot(1, "0/0/0", "0/0/1"), slot(2, "0/0/1", "0/1/0", "1/0/0"));

    assertFigures(0, 1, 0, 0);
  }

  @Test
  void aRowBehindOneThatBeganAfterItsCommitIsOutOfOrder() {
    examine(slot(1, "0/1/0", "0/0/0", "0/0/1", "1/0/0"));

    assertFigures(0, 0, 2, 0);
  }

  @Test
  void aRowBehindALaterOneOfItsTransactionIsOutOfOrder() {
    examine(slot(1, "0/0/1", "0/0/0", "0/1/0", "1/0/0"));

    assertFigures(0, 0, 1, 0);
  }

  @Test
  void rowsThatWereRolledBackAreForeign() {
    int rolledBack = first.begin(0, 60);
    int elsewhere = first.begin(1, 70);
    first.committed(elsewhere, 0b1, 80);
    examine(
        slot(1, "0/0/0", "0/0/1", "0/1/0", "1/0/0"),
        slot(2, "0/" + rolledBack + "/0", "0/" + elsewhere + "/0", "1/0/1", "9/9/9", "tick"));

    assertFigures(0, 0, 0, 5);
  }

  @Test
  void aCommitWithoutAnAnswerCountsAsItIsResolvedAndNeverAsEarlier() {
    int committed = first.begin(0, 60);
    first.unknown(committed, 0b1);
    first.resolve(committed, true);
    second.committed(second.begin(0, 90), 0b1, 100);
    examine(slot(1, "0/0/0", "0/0/1", "0/1/0", "1/0/0", "1/1/0", "0/2/0"));

    assertFigures(0, 0, 0, 0);
  }

  @Test
  void aGapIsAFault() {
    examine(slot(1, "0/0/0", "0/0/1"), slot(3, "0/1/0", "1/0/0"));

    assertThat(journal.isClean()).isFalse();
  }

  @Test
  void anOlderEpochAfterANewerIsAFault() {
    examine(new Slot(1, 2, "b", List.of()), new Slot(2, 1, "a", List.of()));

    assertThat(journal.isClean()).isFalse();
  }

  private void examine(Slot... slots) {
    examination.goOn(
        LongStream.range(0, slots.length).map(i -> slots[(int) i].number()).boxed().toList(),
        number ->
            Arrays.stream(slots).filter(slot -> slot.number() == number).findFirst().orElseThrow());
  }

  private static Slot slot(long number, String... keys) {
    return new Slot(number, 1, "a", Arrays.stream(keys).map(key -> new Row(key, key)).toList());
  }

  private void assertFigures(long lost, long duplicated, long outOfOrder, long foreign) {
    assertThat(examination.lost()).as("lost").isEqualTo(lost);
    assertThat(examination.duplicated()).as("duplicated").isEqualTo(duplicated);
    assertThat(examination.outOfOrder()).as("out of order").isEqualTo(outOfOrder);
    assertThat(examination.foreign()).as("foreign").isEqualTo(foreign);
  }
}
