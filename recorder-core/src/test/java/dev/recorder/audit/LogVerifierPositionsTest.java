package dev.recorder.audit;

import static dev.recorder.audit.LogInMemory.row;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.Position;
import dev.recorder.handoff.Snapshot;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Logs whose positions do not simply follow one another: moved, rebased, adopted by rows. */
class LogVerifierPositionsTest {
  private final LogInMemory log = new LogInMemory();
  private final List<HandoffRow> rows = log.rows;

  @Test
  void provesALogThatHasNotBegun() {
    log.assertProved(1);
  }

  @Test
  void countsTheRowsOfALargeObjectThatIsGone() {
    log.insert(LongStream.generate(() -> 10).limit(1000).toArray());
    log.record("11:11:", 10_000);
    log.lose(1);

    log.assertFaults(1000, 0, 1, 0, 0);
  }

  @Test
  void keepsTheFirstHundredFindingsAndCountsTheRest() {
    log.insert(LongStream.generate(() -> 10).limit(150).toArray());
    log.record("11:11:", 1000);
    log.forge(1, rows.get(0));

    AuditResult verdict = log.verify(1);

    assertThat(verdict.lost()).isEqualTo(149);
    assertThat(verdict.findings()).hasSize(100);
    assertThat(verdict.moreFindings()).isEqualTo(50);
  }

  // Rebased

  /** Slots 1 and 2 of another server; then rows 5 and 6, which waited, and 7, of this one. */
  private void recordAcrossARebase() {
    log.insert(5010, 5010, 5011, 5012);
    log.record("5011:5011:", 100);
    log.record("5013:5013:", 100);
    log.handoff.replaceAll(row -> row(row.id(), 2, "{}"));
    log.rebasedSlot = 2;
    log.head = log.head(2, 1, Position.START);
    log.insert(3, 3, 801);
    log.record("801:801:", 100);
    log.record("802:802:", 100);
  }

  @Test
  void provesALogAcrossARebaseAndSaysWhatWasNotCompared() {
    recordAcrossARebase();

    AuditResult verdict = log.assertProved(1);

    assertThat(verdict.rows()).isEqualTo(7);
    assertThat(verdict.compared()).isEqualTo(3);
    assertThat(verdict.notes()).singleElement().asString().contains("slots up to 2");
  }

  @Test
  void findsARowThatIsRecordedOnBothSidesOfARebase() {
    log.insert(5010, 5011);
    log.record("5012:5012:", 100);
    log.rebasedSlot = 1;
    log.head = log.head(1, 1, Position.START);
    log.handoff.replaceAll(row -> row(row.id(), row.id() == 1 ? 2 : 3, "{}"));
    log.record("801:801:", 100);

    log.assertFaults(0, 1, 0, 0, 0);
  }

  @Test
  void findsTheRowsThatARebaseHasForgotten() {
    recordAcrossARebase();
    log.handoff.add(row(100, 3, "{}"));

    log.assertFaults(1, 0, 0, 0, 0);
  }

  @Test
  void countsAnObjectFromBeforeARebaseThatIsGone() {
    recordAcrossARebase();
    log.lose(2);

    log.assertFaults(2, 0, 1, 0, 0);
  }

  @Test
  void beginsInTheMiddleOfALogWithARebase() {
    recordAcrossARebase();

    for (long from = 1; from <= 4; from++) {
      assertThat(log.assertProved(from).notes()).hasSize(from <= 2 ? 1 : 0);
    }
  }

  // Moved

  /** As if the position had been moved by hand, or a slot had been passed over. */
  private void moveTo(String done) {
    log.head = log.head(log.head.lastSlot(), 1, Position.doneUpTo(Snapshot.parse(done)));
  }

  @Test
  void findsWindowsThatDoNotFollowOneAnotherAndTheRowsBetween() {
    log.insert(10, 11, 12);
    log.record("11:11:", 100);
    moveTo("12:12:"); // Past the row of transaction 11.
    log.record("13:13:", 100);

    assertThat(log.assertFaults(1, 0, 1, 0, 0).findings())
        .anyMatch(f -> f.contains("slot 2 begins at 12:12:"));
  }

  @Test
  void findsAnOpenWindowWhoseRestWasSkipped() {
    log.insert(10, 10, 10, 11);
    log.record("11:11:", 2);
    moveTo("11:11:");
    log.record("12:12:", 100);

    log.assertFaults(1, 0, 1, 0, 0);
  }

  @Test
  void takesAnOpenWindowWithoutARestForDone() {
    log.insert(10, 10, 10, 11);
    log.record("11:11:", 2);
    log.adoptByIdentity(rows.get(2));
    moveTo("11:11:"); // The reader found nothing left in the window and went on behind it.
    log.record("12:12:", 100);

    log.assertProved(1);
  }

  @Test
  void findsRowsThatTheRecordedPositionCoversAndNoSlotHolds() {
    log.insert(10, 11);
    log.record("11:11:", 100);
    moveTo("12:12:");

    assertThat(log.assertFaults(1, 0, 1, 0, 0).findings())
        .anyMatch(f -> f.contains("the database says they end at"));
  }

  @Test
  void findsRowsThatAnOpenPositionCoversAndNoSlotHolds() {
    log.insert(10, 11, 11, 11);
    log.record("11:11:", 100);
    log.head =
        log.head(1, 1, new Position(Snapshot.parse("11:11:"), Snapshot.parse("12:12:"), 11, 3));

    log.assertFaults(2, 0, 1, 0, 0);
  }

  // Adopted

  @Test
  void toleratesIdsThatWereIssuedTwiceAfterALostHistory() {
    log.insert(10);
    log.record("11:11:", 100);
    log.insert(11);
    HandoffRow here = rows.get(1);
    HandoffRow there = row(2, 11, "\"of the lost history\"");
    log.adoptByIdentity(there);
    log.record("12:12:", 100);

    assertThat(here.id()).isEqualTo(there.id());
    assertThat(log.assertProved(1).rows()).isEqualTo(3);
  }

  @Test
  void provesASlotThatWasAdoptedByRowIdentity() {
    log.insert(10, 11);
    log.record("11:11:", 100);
    log.adoptByIdentity(rows.get(1), row(77, 12, "\"lost here\""));
    log.insert(13);
    log.record("14:14:", 100);

    assertThat(log.assertProved(1).compared()).isEqualTo(3);
  }

  /** Commits that a failover lost, or a copy of the database: the log cannot tell which. */
  @Test
  void tellsOfLinesOfAdoptedSlotsThatNoRowHas() {
    log.insert(10);
    log.record("11:11:", 100);
    log.insert(11);
    HandoffRow repeated = row(2, 11, "\"of a copy\"");
    log.adoptByIdentity(repeated, row(77, 12, "\"of a copy\""));
    log.adoptByIdentity(row(78, 12, "\"of a copy\""));
    log.record("12:12:", 100);

    assertThat(log.assertProved(1).notes())
        .containsExactly(
            "slot 2 was adopted by its rows: 2 lines have no row here, as this database lost the"
                + " commits or a copy of it wrote the slot; 1 has the id of another row",
            "slot 3 was adopted by its rows: 1 line has no row here, as this database lost the"
                + " commits or a copy of it wrote the slot");
  }

  @Test
  void findsARowThatReadsPassOverAndNoObjectHolds() {
    log.insert(10, 11, 12);
    log.adoptByIdentity(rows.get(1));
    log.record("13:13:", 100);
    log.exclusions.put(1L, List.of(LogInMemory.key(rows.get(1)), LogInMemory.key(rows.get(2))));
    log.forge(2, rows.get(0));

    assertThat(log.verify(1).lost()).isEqualTo(1);
  }

  @Test
  void findsARowOfAnAdoptedObjectThatWasRecordedAgain() {
    log.insert(10, 11);
    log.adoptByIdentity(rows.get(1));
    log.exclusions.clear();
    log.record("12:12:", 100);

    log.assertFaults(0, 1, 0, 0, 0);
  }

  @Test
  void countsAMissingAdoptedObject() {
    log.insert(10, 11);
    log.adoptByIdentity(rows.get(0), row(77, 12, "\"lost here\""));
    log.record("13:13:", 100);
    log.lose(1);

    log.assertFaults(2, 0, 1, 0, 0);
  }
}
