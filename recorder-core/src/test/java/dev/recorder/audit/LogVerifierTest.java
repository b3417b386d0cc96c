package dev.recorder.audit;

import static dev.recorder.audit.LogInMemory.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.audit.objects.SlotPlan;
import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Window;
import dev.recorder.slotlog.SlotContent;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import dev.recorder.store.ObjectStore.Body;
import dev.recorder.testing.Origins;
import dev.recorder.testing.servers.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each kind of damage is planted into a log of four slots that verifies without it. */
class LogVerifierTest {
  private final LogInMemory log = new LogInMemory();
  private final List<HandoffRow> rows = log.rows;

  /**
   * Slot 1: rows 1, 2 (xid 10). Slots 2 and 3: rows 3-4 and 6-7 (xids 11, 13), one window cut in
   * two. Slot 4: row 5, of xid 12, which was slow, and row 8.
   */
  @BeforeEach
  void recordFourSlots() {
    log.insert(10, 10, 11, 11, 12, 13, 13, 14);
    log.record("11:11:", 100);
    log.record("12:14:12", 2);
    log.record("12:14:12", 2);
    log.record("15:15:", 100);
  }

  @Test
  void provesALogThatIsAsItShouldBe() {
    assertThat(log.verify(1))
        .isEqualTo(new AuditResult("orders", 4, 8, 8, 0, 0, 0, 0, 0, List.of(), 0, List.of()));
    assertThat(log.verify(1).ok()).isTrue();
  }

  @Test
  void namesTheLinesThatAnotherDatabaseHasWritten() {
    log.writtenFrom = new DatabaseIdentity("copy:5432/app", 7, 16_384, 1);
    log.adoptByIdentity(LogInMemory.row(90, 90, "{}"), LogInMemory.row(91, 90, "{}"));

    AuditResult verdict = log.verify(1);

    assertThat(verdict.duplicated()).isEqualTo(2);
    assertThat(verdict.lost()).isZero();
    assertThat(verdict.findings())
        .singleElement()
        .asString()
        .contains("slot 5", "by host-a in epoch 1", "copy:5432/app", "its 2 lines");
    assertThat(verdict.notes()).isEmpty();
  }

  @Test
  void saysWhereTheLogGoesBackToAnEarlierTimeline() {
    log.writtenFrom = new DatabaseIdentity(Origins.DATABASE.name(), 7, 16_384, 2);
    log.adoptByIdentity(LogInMemory.row(90, 90, "{}"));
    log.writtenFrom = Origins.DATABASE;
    log.insert(16);
    log.record("17:17:", 100);

    AuditResult verdict = log.verify(1);

    assertThat(verdict.ok()).as(verdict.findings().toString()).isTrue();
    assertThat(verdict.notes())
        .first()
        .asString()
        .contains("slot 6 was written on timeline 1", "timeline 2");
  }

  @Test
  void findsAMissingObjectAndTheRowsThatAreLostWithIt() {
    log.lose(2);

    List<String> findings = log.assertFaults(2, 0, 1, 0, 0).findings();
    assertThat(findings.get(0)).contains("slot 2", LogInMemory.LAYOUT.slotKey(2));
    assertThat(findings).anyMatch(f -> f.contains("row 3 of transaction 11"));
  }

  @Test
  void findsAMissingLastObject() {
    log.lose(4);

    log.assertFaults(2, 0, 1, 0, 0);
  }

  @Test
  void countsTheRowsOfAMissingObjectByItsPlanWhenTheHandoffIsCleared() {
    log.lose(3);
    log.clear(Set.of(0L));

    log.assertFaults(2, 0, 1, 0, 0);
  }

  @Test
  void tellsWhichOfTwoPlansAMissingObjectHadByTheSlotThatFollows() {
    log.lose(1);
    SlotPlan settled = log.plansOf(1).get(0);
    Window window = new Window(Snapshot.parse("3:3:"), Snapshot.parse("12:12:"), true);
    log.plansOf(1)
        .add(0, new SlotPlan("other", window, new SlotContent.Extent(4, 10, 1, 11, 4), 0));

    assertThat(log.plansOf(1)).contains(settled);
    log.assertFaults(2, 0, 1, 0, 0);
  }

  @Test
  void findsTheRowsOfAMissingObjectWithoutAnyPlan() {
    log.lose(2);
    log.plans.remove(2L);

    log.assertFaults(2, 0, 1, 0, 0);
  }

  @Test
  void findsAChangedLine() {
    changeBody(2, body -> body.replace("\"k3\"", "\"XX\""));

    AuditResult verdict = log.assertFaults(0, 1, 0, 0, 1);
    assertThat(verdict.findings())
        .contains(
            "slot 2 holds row 3 of transaction 11 with another key or payload than the table");
    assertThat(verdict.notes()).as("it is in the log: no remedy hands it over again").isEmpty();
  }

  @Test
  void saysOfARowWhoseTimeWasChangedThatTheTimeDiffersAndHasNoRemedyForIt() {
    log.handoff.replaceAll(
        row ->
            new HandoffRow(
                row.id(), row.xid(), row.timeMicros() + 3_600_000_000L, row.key(), "{}"));

    AuditResult verdict = log.assertFaults(0, 8, 0, 0, 0);
    assertThat(verdict.findings())
        .contains(
            "slot 1 holds row 2 of transaction 10 with another time than the table: it is"
                + " 2023-11-14T22:13:20.000002Z in the log, and 2023-11-14T23:13:20.000002Z in the"
                + " table");
    assertThat(verdict.notes()).isEmpty();
  }

  @Test
  void aLineThatSaysSomethingElseOfARowThatIsThereTooIsNoRow() {
    log.forge(2, row(3, 11, "\"x\""), rows.get(2), rows.get(3));

    assertThat(log.assertFaults(0, 1, 0, 0, 0).findings())
        .anyMatch(
            f -> f.contains("row 3 of transaction 11 in a line that no row of its window has"));
  }

  @Test
  void findsABitThatFlippedInTheMetadata() {
    changeMetadata(3, "sha256", "0".repeat(64));

    log.assertFaults(0, 0, 0, 0, 1);
  }

  @Test
  void findsAnObjectOfAnotherLog() {
    changeMetadata(3, "log", UUID.randomUUID().toString());

    assertThat(log.assertFaults(0, 0, 0, 0, 1).findings().get(0))
        .contains("says it is slot 3 of orders, log ");
  }

  @Test
  void findsAnObjectThatNoRecorderWrote() {
    log.change(3, object -> new Body(object.bytes(), Map.of()));

    log.assertFaults(0, 0, 0, 0, 1);
  }

  @Test
  void findsAnObjectThatIsNoSlotAtAll() {
    changeBody(3, body -> "no rows here");

    assertThat(log.assertFaults(2, 0, 0, 0, 1).slots()).isEqualTo(3);
  }

  @Test
  void findsAContentThatNobodyPlanned() {
    log.plans.remove(3L);

    // Its rows are there; what is wrong is that the database knows nothing of them.
    assertThat(log.assertFaults(0, 0, 0, 0, 1).findings().get(0)).contains("no row of slots");
  }

  @ParameterizedTest
  @CsvSource({"3, 1", "2, 2"})
  void findsAPlanOfOtherRows(int count, long firstId) {
    SlotPlan plan = log.plansOf(1).get(0);
    SlotContent.Extent other = new SlotContent.Extent(count, 10, firstId, 10, 2);
    log.plansOf(1).set(0, new SlotPlan(plan.sha256(), plan.window(), other, 0));

    log.assertFaults(0, 0, 0, 0, 1);
  }

  @Test
  void findsARowThatNoObjectHolds() {
    log.forge(1, rows.get(0));

    assertThat(log.assertFaults(1, 0, 0, 0, 1).findings()) // The forged extent ends at row 2.
        .anyMatch(f -> f.contains("row 2 of transaction 10 is lost"));
  }

  @Test
  void saysHowALostRowGetsIntoTheLog() {
    log.writeOnly(1, rows.get(0));

    assertThat(log.verify(1).notes()).containsExactly("remedy for [row 2 of transaction 10]");
  }

  @Test
  void hasNoRemedyForRowsWhoseObjectMayComeBack() {
    log.lose(2);

    assertThat(log.verify(1).notes()).isEmpty();
  }

  @Test
  void findsTwoRowsThatHaveChangedTheirTransactions() {
    log.forge(2, row(3, 11, "{}"), row(4, 11, "{}"));
    log.handoff.set(0, row(1, 9, "{}"));
    log.forge(1, row(2, 9, "{}"), row(1, 10, "{}"));

    assertThat(log.verify(1).lost()).isEqualTo(2);
  }

  @Test
  void tellsHowFarItIs() throws Exception {
    List<String> told = new ArrayList<>();
    Progress progress =
        new Progress() {
          @Override
          public void slots(long done, long slots, long rows) {
            told.add(done + " of " + slots + " slots, " + rows + " rows");
          }

          @Override
          public void pages(long done, long pages, long rows) {
            told.add(done + " of " + pages + " pages, " + rows + " rows");
          }
        };

    new LogVerifier(log, LogInMemory.LAYOUT, log, log).verify(3, SecondReader.NOBODY, progress);

    assertThat(told)
        .containsExactly("1 of 2 slots, 2 rows", "2 of 2 slots, 4 rows", "1 of 1 pages, 8 rows");
  }

  @Test
  void findsARowThatTwoObjectsHold() {
    log.forge(4, rows.get(0), rows.get(4), rows.get(7));

    assertThat(log.assertFaults(0, 1, 0, 0, 0).findings())
        .containsExactly("slot 4 holds row 1 of transaction 10, and slot 1 holds it already");
  }

  @Test
  void findsARowThatOneObjectHoldsTwice() {
    log.forge(4, rows.get(4), rows.get(4), rows.get(7));

    assertThat(log.assertFaults(0, 1, 0, 0, 0).findings())
        .allMatch(f -> f.contains("it holds it already"));
  }

  @Test
  void findsALineThatIsNoRow() {
    log.forge(4, rows.get(4), row(99, 14, "\"foreign\""), rows.get(7));

    // Row 8 stands behind row 99 of the same transaction.
    assertThat(log.assertFaults(0, 1, 0, 1, 0).findings())
        .anyMatch(f -> f.contains("row 99 of transaction 14 in a line"));
  }

  @Test
  void findsLinesInTheWrongOrder() {
    log.forge(4, rows.get(7), rows.get(4));

    assertOutOfOrderAlone(log.verify(1));
  }

  @Test
  void findsARowInTheSlotAfterItsOwn() {
    log.forge(2, rows.get(2));
    log.forge(4, rows.get(3), rows.get(4), rows.get(7));

    AuditResult verdict = log.verify(1);

    assertOutOfOrderAlone(verdict);
    assertThat(verdict.findings())
        .contains("row 4 of transaction 11 belongs into slot 2 and is in slot 4");
  }

  private static void assertOutOfOrderAlone(AuditResult verdict) {
    assertThat(verdict.outOfOrder()).isEqualTo(1);
    assertThat(verdict.lost()).isZero();
    assertThat(verdict.duplicated()).isZero();
  }

  @Test
  void skipsWhatTheOwnerHasExpired() {
    expireTwoSlots();

    assertThat(log.assertProved(1).slots()).isEqualTo(2);
  }

  @Test
  void isNotDisturbedByAnExpiryWhileItRuns() {
    log.beforeRead = this::expireTwoSlots;

    assertThat(log.assertProved(1).slots()).isEqualTo(2);
  }

  private void expireTwoSlots() {
    log.lose(1, 2);
    log.head = log.head(4, 3, log.head.position());
  }

  @Test
  void isNotDisturbedByARecorderThatWritesOn() {
    log.insert(15);
    log.beforeRead =
        () -> {
          if (log.head.lastSlot() == 4) {
            log.record("16:16:", 100);
          }
        };

    assertThat(log.assertProved(1).slots()).isEqualTo(4);
  }

  @Test
  void saysThatASlotIsInFlight() {
    log.insert(15);
    SlotContent next = log.build(Snapshot.parse("16:16:"), 100);
    log.plan(next);
    log.put(next);

    assertThat(log.assertProved(1).notes()).singleElement().asString().contains("slot 5 by host-a");
  }

  @Test
  void startsWhereItIsTold() {
    log.lose(1);

    AuditResult verdict = log.assertProved(3);

    assertThat(verdict.slots()).isEqualTo(2);
    assertThat(verdict.compared()).isEqualTo(4);
  }

  @Test
  void findsARowThatSomebodyDeletedFromTheMiddleOfTheHandoff() {
    log.handoff.removeIf(row -> row.id() == 5);

    log.assertFaults(0, 1, 0, 0, 0);
  }

  /** Slot 1 has the lost history of 1,000 ids that were given out again, slot 2 has their rows. */
  private static LogInMemory logOfIdsThatWereGivenOutBefore() {
    LogInMemory log = new LogInMemory();
    log.adoptByIdentity(
        LongStream.rangeClosed(1, 1_000)
            .mapToObj(id -> row(id, 9, "\"lost\""))
            .toArray(HandoffRow[]::new));
    log.insert(LongStream.generate(() -> 10).limit(1_000).toArray());
    log.record("11:11:", 1_000);
    return log;
  }

  private static AuditResult verifyInBatches(LogInMemory log) throws Exception {
    return new LogVerifier(log, LogInMemory.LAYOUT, log, log).inBatchesOf(600).verify(1);
  }

  @Test
  void provesALogThatHasMoreRowsInDoubtThanAreHeldInMemory() throws Exception {
    AuditResult verdict = verifyInBatches(logOfIdsThatWereGivenOutBefore());

    assertThat(verdict.ok()).as(verdict.findings().toString()).isTrue();
    assertThat(verdict.compared()).isEqualTo(1_000);
    assertThat(verdict.notes())
        .singleElement()
        .asString()
        .startsWith("slot 1 was adopted by its rows: 1000 lines have no row here")
        .endsWith("; 1000 have the id of another row");
  }

  @Test
  void namesEachFaultAmongMoreRowsInDoubtThanAreHeldInMemory() throws Exception {
    LogInMemory log = logOfIdsThatWereGivenOutBefore();
    log.handoff.replaceAll(row -> row.id() == 900 ? row(900, 10, "\"other\"") : row);
    log.handoff.removeIf(row -> row.id() == 100);

    AuditResult verdict = verifyInBatches(log);

    assertThat(verdict.findings())
        .containsExactlyInAnyOrder(
            "slot 2 holds row 100 of transaction 10 in a line that no row of its window has",
            "slot 2 holds row 900 of transaction 10 with another key or payload than the table");
  }

  /** A log that is another table's is not read over and over. */
  @Test
  void judgesTheOtherRowsByTheirNumberOnceAHundredFaultsAreFound() throws Exception {
    LogInMemory log = logOfIdsThatWereGivenOutBefore();
    log.writeOnly(
        2,
        log.rows.stream()
            .filter(row -> (row.id() % 2 == 0 && row.id() < 512) || row.id() >= 768)
            .toArray(HandoffRow[]::new));
    log.forge(1, row(1, 9, "\"lost\""), row(1_000, 9, "\"lost\""));

    AuditResult verdict = verifyInBatches(log);

    assertThat(verdict.lost()).as("%s", verdict.findings()).isEqualTo(128 + 128 + 256);
    assertThat(verdict.findings()).hasSize(100);
    assertThat(verdict.compared()).isEqualTo(127);
    assertThat(verdict.notes())
        .contains(
            "233 rows were not compared, as so many faults were found: run it again when those are"
                + " corrected");
  }

  @Test
  void provesNothingWhenTheStoreDoesNotAnswer() {
    LogVerifier blind = new LogVerifier(MemoryStore.withoutBucket(), LogInMemory.LAYOUT, log, log);

    assertThatThrownBy(() -> blind.verify(1))
        .isInstanceOfSatisfying(
            UnreadableSlotException.class, e -> assertThat(e.isUnreachable()).isTrue());
  }

  private void changeBody(long slot, UnaryOperator<String> change) {
    log.change(
        slot,
        object -> {
          String changed = change.apply(new String(object.bytes(), StandardCharsets.UTF_8));
          return new Body(changed.getBytes(StandardCharsets.UTF_8), object.metadata());
        });
  }

  private void changeMetadata(long slot, String name, String value) {
    log.change(
        slot,
        object -> {
          Map<String, String> metadata = new HashMap<>(object.metadata());
          metadata.put(name, value);
          return new Body(object.bytes(), metadata);
        });
  }
}
