package dev.recorder.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.Position;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Window;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.SlotContent;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import dev.recorder.store.ObjectStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Each kind of damage is planted into a log that verifies without it. */
class LogVerifierTest {
  private final LogInMemory log = new LogInMemory();
  private final List<HandoffRow> rows = new ArrayList<>();

  /**
   * Slot 1: rows 1, 2 (xid 10). Slots 2 and 3: rows 3-4 and 6-7 (xids 11, 13), one window cut in
   * two. Slot 4: row 5, of xid 12, which was slow, and row 8.
   */
  private void recordFourSlots() {
    insert(10, 10, 11, 11, 12, 13, 13, 14);
    log.record("11:11:", 100);
    log.record("12:14:12", 2);
    log.record("12:14:12", 2);
    log.record("15:15:", 100);
  }

  @Test
  void provesALogThatIsAsItShouldBe() {
    recordFourSlots();

    AuditResult verdict = verify();

    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.ok()).isTrue();
    assertThat(verdict.slots()).isEqualTo(4);
    assertThat(verdict.rows()).isEqualTo(8);
    assertThat(verdict.compared()).isEqualTo(8);
    assertThat(verdict.recorder()).isEqualTo("orders");
  }

  /** Slots 1 and 2 of another server; then rows 5 and 6, which waited, and 7, of this one. */
  private void recordAcrossARebase() {
    insert(5010, 5010, 5011, 5012);
    log.record("5011:5011:", 100);
    log.record("5013:5013:", 100);
    log.handoff.replaceAll(row -> LogInMemory.row(row.id(), 2, "{}"));
    log.rebasedSlot = 2;
    log.head = new LogHead(2, 1, Position.START);
    insert(3, 3, 801);
    log.record("801:801:", 100);
    log.record("802:802:", 100);
  }

  @Test
  void provesALogAcrossARebaseAndSaysWhatWasNotCompared() {
    recordAcrossARebase();

    AuditResult verdict = verify();

    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.rows()).isEqualTo(7);
    assertThat(verdict.compared()).isEqualTo(3);
    assertThat(verdict.notes()).singleElement().asString().contains("slots up to 2");
  }

  @Test
  void findsARowThatIsRecordedOnBothSidesOfARebase() {
    insert(5010, 5011);
    log.record("5012:5012:", 100);
    log.rebasedSlot = 1;
    log.head = new LogHead(1, 1, Position.START);
    log.handoff.replaceAll(row -> LogInMemory.row(row.id(), row.id() == 1 ? 2 : 3, "{}"));
    log.record("801:801:", 100);

    assertCounts(verify(), 0, 1, 0, 0, 0);
  }

  @Test
  void findsTheRowsThatARebaseHasForgotten() {
    recordAcrossARebase();
    log.handoff.add(LogInMemory.row(100, 3, "{}"));

    assertCounts(verify(), 1, 0, 0, 0, 0);
  }

  @Test
  void countsAnObjectFromBeforeARebaseThatIsGone() {
    recordAcrossARebase();
    log.objects.remove(LogInMemory.LAYOUT.slotKey(2));

    assertCounts(verify(), 2, 0, 1, 0, 0);
  }

  @Test
  void beginsInTheMiddleOfALogWithARebase() throws Exception {
    recordAcrossARebase();

    for (long from = 1; from <= 4; from++) {
      AuditResult verdict = new LogVerifier(log, LogInMemory.LAYOUT, log, log).verify(from);
      assertThat(verdict.findings()).isEmpty();
      assertThat(verdict.notes()).hasSize(from <= 2 ? 1 : 0);
    }
  }

  @Test
  void provesALogThatHasNotBegun() {
    assertThat(verify().ok()).isTrue();
  }

  @Test
  void findsAMissingObjectAndTheRowsThatAreLostWithIt() {
    recordFourSlots();
    log.objects.remove(LogInMemory.LAYOUT.slotKey(2));

    AuditResult verdict = verify();

    assertCounts(verdict, 2, 0, 1, 0, 0);
    assertThat(verdict.findings().get(0)).contains("slot 2", LogInMemory.LAYOUT.slotKey(2));
    assertThat(verdict.findings()).anyMatch(f -> f.contains("row 3 of transaction 11"));
  }

  @Test
  void findsAMissingLastObject() {
    recordFourSlots();
    log.objects.remove(LogInMemory.LAYOUT.slotKey(4));

    assertCounts(verify(), 2, 0, 1, 0, 0);
  }

  @Test
  void countsTheRowsOfAMissingObjectByItsPlanWhenTheHandoffIsCleared() {
    recordFourSlots();
    log.objects.remove(LogInMemory.LAYOUT.slotKey(3));
    log.handoff.clear();

    assertCounts(verify(), 2, 0, 1, 0, 0);
  }

  @Test
  void tellsWhichOfTwoPlansAMissingObjectHadByTheSlotThatFollows() {
    recordFourSlots();
    log.objects.remove(LogInMemory.LAYOUT.slotKey(1));
    SlotPlan settled = log.plansOf(1).get(0);
    log.plansOf(1).add(0, plan("other", "3:3:", "12:12:", new SlotContent.Extent(4, 10, 1, 11, 4)));

    assertThat(log.plansOf(1)).contains(settled);
    assertCounts(verify(), 2, 0, 1, 0, 0);
  }

  @Test
  void findsTheRowsOfAMissingObjectWithoutAnyPlan() {
    recordFourSlots();
    log.objects.remove(LogInMemory.LAYOUT.slotKey(2));
    log.plans.remove(2L);

    assertCounts(verify(), 2, 0, 1, 0, 0);
  }

  @Test
  void findsAChangedLine() {
    recordFourSlots();
    changeBody(2, body -> body.replace("\"k3\"", "\"XX\""));

    AuditResult verdict = verify();

    // The row is lost, a line that is no row's stands in its place.
    assertCounts(verdict, 1, 1, 0, 0, 1);
    assertThat(verdict.notes())
        .as("recorded as a new row it would be there twice when the object is restored")
        .isEmpty();
  }

  @Test
  void findsABitThatFlippedInTheMetadata() {
    recordFourSlots();
    changeMetadata(3, "sha256", "0".repeat(64));

    assertCounts(verify(), 0, 0, 0, 0, 1);
  }

  @Test
  void findsAnObjectOfAnotherLog() {
    recordFourSlots();
    changeMetadata(3, "log", UUID.randomUUID().toString());

    AuditResult verdict = verify();

    assertCounts(verdict, 0, 0, 0, 0, 1);
    assertThat(verdict.findings().get(0)).contains("says it is slot 3 of orders, log ");
  }

  @Test
  void findsAnObjectThatNoRecorderWrote() {
    recordFourSlots();
    ObjectStore.Body body = log.objects.get(LogInMemory.LAYOUT.slotKey(3));
    log.objects.put(LogInMemory.LAYOUT.slotKey(3), new ObjectStore.Body(body.bytes(), Map.of()));

    assertCounts(verify(), 0, 0, 0, 0, 1);
  }

  @Test
  void findsAnObjectThatIsNoSlotAtAll() {
    recordFourSlots();
    changeBody(3, body -> "no rows here");

    AuditResult verdict = verify();

    assertCounts(verdict, 2, 0, 0, 0, 1);
    assertThat(verdict.slots()).isEqualTo(3);
  }

  @Test
  void findsAContentThatNobodyPlanned() {
    recordFourSlots();
    log.plans.remove(3L);

    AuditResult verdict = verify();

    // Its rows are there; what is wrong is that the database knows nothing of them.
    assertCounts(verdict, 0, 0, 0, 0, 1);
    assertThat(verdict.findings().get(0)).contains("no row of slots");
  }

  @Test
  void findsAPlanThatCountsOtherRows() {
    recordFourSlots();
    SlotPlan plan = log.plansOf(1).get(0);
    log.plansOf(1)
        .set(
            0, new SlotPlan(plan.sha256(), plan.window(), new SlotContent.Extent(3, 10, 1, 10, 2)));

    assertCounts(verify(), 0, 0, 0, 0, 1);
  }

  @Test
  void findsAPlanWithAnotherExtent() {
    recordFourSlots();
    SlotPlan plan = log.plansOf(1).get(0);
    log.plansOf(1)
        .set(
            0, new SlotPlan(plan.sha256(), plan.window(), new SlotContent.Extent(2, 10, 2, 10, 2)));

    assertCounts(verify(), 0, 0, 0, 0, 1);
  }

  @Test
  void findsARowThatNoObjectHolds() {
    recordFourSlots();
    log.forge(1, rows.get(0));

    AuditResult verdict = verify();

    assertCounts(verdict, 1, 0, 0, 0, 1); // The forged extent ends at row 2.
    assertThat(verdict.findings()).anyMatch(f -> f.contains("row 2 of transaction 10 is lost"));
  }

  @Test
  void saysHowALostRowGetsIntoTheLog() {
    recordFourSlots();
    log.writeOnly(1, rows.get(0));

    assertThat(verify().notes()).containsExactly("remedy for [row 2 of transaction 10]");
  }

  @Test
  void hasNoRemedyForRowsWhoseObjectMayComeBack() {
    recordFourSlots();
    log.objects.remove(LogInMemory.LAYOUT.slotKey(2));

    assertThat(verify().notes()).isEmpty();
  }

  @Test
  void findsTwoRowsThatHaveChangedTheirTransactions() {
    recordFourSlots();
    log.forge(2, LogInMemory.row(3, 11, "{}"), LogInMemory.row(4, 11, "{}"));
    log.handoff.replaceAll(
        row ->
            row.id() == 1 || row.id() == 2
                ? LogInMemory.row(row.id(), row.id() == 1 ? 9 : 10, "{}")
                : row);
    log.forge(1, LogInMemory.row(2, 9, "{}"), LogInMemory.row(1, 10, "{}"));

    AuditResult verdict = verify();

    assertThat(verdict.lost()).isEqualTo(2);
  }

  @Test
  void countsTheRowsOfALargeObjectThatIsGone() {
    for (int i = 0; i < 1000; i++) {
      insert(10);
    }
    log.record("11:11:", 10_000);
    log.objects.remove(LogInMemory.LAYOUT.slotKey(1));

    assertCounts(verify(), 1000, 0, 1, 0, 0);
  }

  @Test
  void tellsHowFarItIs() throws Exception {
    recordFourSlots();
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

    new LogVerifier(log, LogInMemory.LAYOUT, log, log).verify(3, Beside.NOBODY, progress);

    assertThat(told)
        .containsExactly("1 of 2 slots, 2 rows", "2 of 2 slots, 4 rows", "1 of 1 pages, 8 rows");
  }

  @Test
  void findsARowThatTwoObjectsHold() {
    recordFourSlots();
    log.forge(4, rows.get(0), rows.get(4), rows.get(7));

    AuditResult verdict = verify();

    assertCounts(verdict, 0, 1, 0, 0, 0);
    assertThat(verdict.findings())
        .containsExactly("slot 4 holds row 1 of transaction 10, and slot 1 holds it already");
  }

  @Test
  void findsARowThatOneObjectHoldsTwice() {
    recordFourSlots();
    log.forge(4, rows.get(4), rows.get(4), rows.get(7));

    AuditResult verdict = verify();

    assertCounts(verdict, 0, 1, 0, 0, 0);
    assertThat(verdict.findings()).allMatch(f -> f.contains("it holds it already"));
  }

  @Test
  void findsALineThatIsNoRow() {
    recordFourSlots();
    log.forge(4, rows.get(4), LogInMemory.row(99, 14, "\"foreign\""), rows.get(7));

    AuditResult verdict = verify();

    // Row 8 stands behind row 99 of the same transaction.
    assertCounts(verdict, 0, 1, 0, 1, 0);
    assertThat(verdict.findings()).anyMatch(f -> f.contains("row 99 of transaction 14 in a line"));
  }

  @Test
  void findsLinesInTheWrongOrder() {
    recordFourSlots();
    log.forge(4, rows.get(7), rows.get(4));

    AuditResult verdict = verify();

    assertThat(verdict.outOfOrder()).isEqualTo(1);
    assertThat(verdict.lost()).isZero();
    assertThat(verdict.duplicated()).isZero();
  }

  @Test
  void findsARowInTheSlotAfterItsOwn() {
    recordFourSlots();
    log.forge(2, rows.get(2));
    log.forge(4, rows.get(3), rows.get(4), rows.get(7));

    AuditResult verdict = verify();

    assertThat(verdict.outOfOrder()).isEqualTo(1);
    assertThat(verdict.lost()).isZero();
    assertThat(verdict.duplicated()).isZero();
    assertThat(verdict.findings())
        .anyMatch(f -> f.equals("row 4 of transaction 11 belongs into slot 2 and is in slot 4"));
  }

  @Test
  void findsWindowsThatDoNotFollowOneAnotherAndTheRowsBetween() {
    insert(10, 11, 12);
    log.record("11:11:", 100);
    // As if the position had been moved by hand, past the row of transaction 11.
    log.head = new LogHead(1, 1, Position.doneUpTo(Snapshot.parse("12:12:")));
    log.record("13:13:", 100);

    AuditResult verdict = verify();

    assertCounts(verdict, 1, 0, 1, 0, 0);
    assertThat(verdict.findings()).anyMatch(f -> f.contains("slot 2 begins at 12:12:"));
  }

  @Test
  void findsAnOpenWindowWhoseRestWasSkipped() {
    insert(10, 10, 10, 11);
    log.record("11:11:", 2);
    log.head = new LogHead(1, 1, Position.doneUpTo(Snapshot.parse("11:11:")));
    log.record("12:12:", 100);

    assertCounts(verify(), 1, 0, 1, 0, 0);
  }

  @Test
  void takesAnOpenWindowWithoutARestForDone() {
    insert(10, 10, 10, 11);
    log.record("11:11:", 2);
    log.adoptByIdentity(rows.get(2));
    // The reader found nothing left in the window and went on behind it.
    log.head = new LogHead(2, 1, Position.doneUpTo(Snapshot.parse("11:11:")));
    log.record("12:12:", 100);

    assertThat(verify().findings()).isEmpty();
  }

  @Test
  void findsRowsThatTheRecordedPositionCoversAndNoSlotHolds() {
    insert(10, 11);
    log.record("11:11:", 100);
    log.head = new LogHead(1, 1, Position.doneUpTo(Snapshot.parse("12:12:")));

    AuditResult verdict = verify();

    assertCounts(verdict, 1, 0, 1, 0, 0);
    assertThat(verdict.findings()).anyMatch(f -> f.contains("the database says they end at"));
  }

  @Test
  void findsRowsThatAnOpenPositionCoversAndNoSlotHolds() {
    insert(10, 11, 11, 11);
    log.record("11:11:", 100);
    log.head =
        new LogHead(1, 1, new Position(Snapshot.parse("11:11:"), Snapshot.parse("12:12:"), 11, 3));

    assertCounts(verify(), 2, 0, 1, 0, 0);
  }

  @Test
  void toleratesIdsThatWereIssuedTwiceAfterALostHistory() {
    insert(10);
    log.record("11:11:", 100);
    HandoffRow here = log.insert(11); // id 2
    HandoffRow there = LogInMemory.row(2, 11, "\"of the lost history\"");
    log.adoptByIdentity(there);
    log.record("12:12:", 100);

    AuditResult verdict = verify();

    assertThat(here.id()).isEqualTo(there.id());
    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.rows()).isEqualTo(3);
  }

  @Test
  void provesASlotThatWasAdoptedByRowIdentity() {
    insert(10, 11);
    log.record("11:11:", 100);
    log.adoptByIdentity(rows.get(1), LogInMemory.row(77, 12, "\"lost here\""));
    insert(13);
    log.record("14:14:", 100);

    AuditResult verdict = verify();

    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.compared()).isEqualTo(3);
  }

  @Test
  void findsARowThatReadsPassOverAndNoObjectHolds() {
    insert(10, 11, 12);
    log.adoptByIdentity(rows.get(1));
    log.record("13:13:", 100);
    log.exclusions.put(1L, List.of(LogInMemory.key(rows.get(1)), LogInMemory.key(rows.get(2))));
    log.forge(2, rows.get(0));

    assertThat(verify().lost()).isEqualTo(1);
  }

  @Test
  void findsARowOfAnAdoptedObjectThatWasRecordedAgain() {
    insert(10, 11);
    log.adoptByIdentity(rows.get(1));
    log.exclusions.clear();
    log.record("12:12:", 100);

    assertCounts(verify(), 0, 1, 0, 0, 0);
  }

  @Test
  void countsAMissingAdoptedObject() {
    insert(10, 11);
    log.adoptByIdentity(rows.get(0), LogInMemory.row(77, 12, "\"lost here\""));
    log.record("13:13:", 100);
    log.objects.remove(LogInMemory.LAYOUT.slotKey(1));

    assertCounts(verify(), 2, 0, 1, 0, 0);
  }

  @Test
  void skipsWhatTheOwnerHasExpired() {
    recordFourSlots();
    log.objects.remove(LogInMemory.LAYOUT.slotKey(1));
    log.objects.remove(LogInMemory.LAYOUT.slotKey(2));
    log.head = new LogHead(4, 3, log.head.position());

    AuditResult verdict = verify();

    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.slots()).isEqualTo(2);
  }

  @Test
  void isNotDisturbedByAnExpiryWhileItRuns() {
    recordFourSlots();
    log.beforeRead =
        () -> {
          log.objects.remove(LogInMemory.LAYOUT.slotKey(1));
          log.objects.remove(LogInMemory.LAYOUT.slotKey(2));
          log.head = new LogHead(4, 3, log.head.position());
        };

    AuditResult verdict = verify();

    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.slots()).isEqualTo(2);
  }

  @Test
  void isNotDisturbedByARecorderThatWritesOn() {
    recordFourSlots();
    insert(15);
    log.beforeRead =
        () -> {
          if (log.head.lastSlot() == 4) {
            log.record("16:16:", 100);
          }
        };

    AuditResult verdict = verify();

    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.slots()).isEqualTo(4);
  }

  @Test
  void saysThatASlotIsInFlight() {
    recordFourSlots();
    insert(15);
    SlotContent next = log.build(Snapshot.parse("16:16:"), 100);
    log.plan(next);
    log.put(next);

    AuditResult verdict = verify();

    assertThat(verdict.ok()).isTrue();
    assertThat(verdict.notes()).singleElement().asString().contains("slot 5 by host-a");
  }

  @Test
  void startsWhereItIsTold() {
    recordFourSlots();
    log.objects.remove(LogInMemory.LAYOUT.slotKey(1));

    AuditResult verdict = verify(3);

    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.slots()).isEqualTo(2);
    assertThat(verdict.compared()).isEqualTo(4);
  }

  @Test
  void comparesOnlyWhatTheHandoffStillKeeps() {
    recordFourSlots();
    log.handoff.removeIf(row -> row.id() <= 3);

    AuditResult verdict = verify();

    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.rows()).isEqualTo(8);
    assertThat(verdict.compared()).isEqualTo(5);
  }

  @Test
  void isNotDisturbedByRowsThatAreClearedWhileItRuns() {
    recordFourSlots();
    log.beforeRead = () -> log.handoff.removeIf(row -> row.id() <= 7);

    assertThat(verify().findings()).isEmpty();
  }

  @Test
  void findsARowThatSomebodyDeletedFromTheMiddleOfTheHandoff() {
    recordFourSlots();
    log.handoff.removeIf(row -> row.id() == 5);

    assertCounts(verify(), 0, 1, 0, 0, 0);
  }

  @Test
  void keepsTheFirstHundredFindingsAndCountsTheRest() {
    for (int i = 0; i < 150; i++) {
      insert(10);
    }
    log.record("11:11:", 1000);
    log.forge(1, rows.get(0));

    AuditResult verdict = verify();

    assertThat(verdict.lost()).isEqualTo(149);
    assertThat(verdict.findings()).hasSize(100);
    assertThat(verdict.moreFindings()).isEqualTo(50);
  }

  @Test
  void provesNothingWhenTheStoreDoesNotAnswer() {
    recordFourSlots();
    ObjectStore silent =
        new ObjectStore() {
          @Override
          public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
            return new Unclear("no answer", true);
          }

          @Override
          public HeadAnswer head(String key) {
            return new Unclear("no answer", true);
          }

          @Override
          public GetAnswer get(String key) {
            return new Unclear("no answer", true);
          }
        };

    assertThatThrownBy(() -> new LogVerifier(silent, LogInMemory.LAYOUT, log, log).verify(1))
        .isInstanceOfSatisfying(
            UnreadableSlotException.class, e -> assertThat(e.isUnreachable()).isTrue());
  }

  // ---- helpers

  private void insert(long... xids) {
    for (long xid : xids) {
      rows.add(log.insert(xid));
    }
  }

  private AuditResult verify() {
    return verify(1);
  }

  private AuditResult verify(long from) {
    try {
      return new LogVerifier(log, LogInMemory.LAYOUT, log, log).verify(from);
    } catch (UnreadableSlotException e) {
      throw new AssertionError(e);
    }
  }

  private static SlotPlan plan(String sha256, String from, String to, SlotContent.Extent extent) {
    return new SlotPlan(sha256, new Window(Snapshot.parse(from), Snapshot.parse(to), true), extent);
  }

  private void changeBody(long slot, java.util.function.UnaryOperator<String> change) {
    ObjectStore.Body body = log.objects.get(LogInMemory.LAYOUT.slotKey(slot));
    String changed = change.apply(new String(body.bytes(), StandardCharsets.UTF_8));
    log.objects.put(
        LogInMemory.LAYOUT.slotKey(slot),
        new ObjectStore.Body(changed.getBytes(StandardCharsets.UTF_8), body.metadata()));
  }

  private void changeMetadata(long slot, String name, String value) {
    ObjectStore.Body body = log.objects.get(LogInMemory.LAYOUT.slotKey(slot));
    Map<String, String> metadata = new java.util.HashMap<>(body.metadata());
    metadata.put(name, value);
    log.objects.put(LogInMemory.LAYOUT.slotKey(slot), new ObjectStore.Body(body.bytes(), metadata));
  }

  private static void assertCounts(
      AuditResult verdict,
      long lost,
      long duplicated,
      long gaps,
      long outOfOrder,
      long mismatches) {
    assertThat(
            List.of(
                verdict.lost(),
                verdict.duplicated(),
                verdict.gaps(),
                verdict.outOfOrder(),
                verdict.hashMismatches()))
        .as("lost, duplicated, gaps, out of order, hash mismatches: %s", verdict.findings())
        .containsExactly(lost, duplicated, gaps, outOfOrder, mismatches);
    assertThat(verdict.ok()).isFalse();
  }
}
