package dev.recorder.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.audit.objects.SlotPlan;
import dev.recorder.handoff.Position;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Window;
import dev.recorder.store.ObjectStore.Body;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A log whose first slots were cleared away and folded: what is still proved of them. */
class FoldedLogTest {
  private final LogInMemory log = new LogInMemory();

  /** Slots 1 to 6 of two rows each; those of slots 1 to 4 are cleared away. */
  @BeforeEach
  void record() {
    for (int slot = 1; slot <= 6; slot++) {
      if (slot == 5) {
        log.clear(Set.of(0L));
      }
      recordSlot(slot);
    }
  }

  private void recordSlot(int slot) {
    long block = slot < 5 ? 0 : 1L << 32;
    for (int i = 0; i < 2; i++) {
      log.handoff.add(LogInMemory.row(block + 2L * slot + i, 10 + slot, "{}"));
    }
    long next = 11L + slot;
    log.record(next + ":" + next + ":", 100);
  }

  @Test
  void foldedSlotsAreProvedByTheHashOfAllOfThem() {
    log.fold(4);

    AuditResult verdict = log.assertProved(1);

    assertThat(verdict.slots()).isEqualTo(6);
    assertThat(verdict.rows()).isEqualTo(12);
    assertThat(verdict.compared()).isEqualTo(4);
    assertThat(verdict.notes()).singleElement().asString().contains("slots up to 4 are folded");
  }

  @Test
  void anObjectThatIsWholeAndNotTheOneThatWasSettledIsFound() {
    log.fold(2, 4);

    log.forgeFolded(3, LogInMemory.row(90, 13, "{}"), LogInMemory.row(91, 13, "{}"));

    assertThat(log.assertFaults(0, 0, 0, 0, 1).findings())
        .singleElement()
        .isEqualTo(
            "slots 3 to 4 are not what was settled: each is whole, and together they have another"
                + " hash");
  }

  @Test
  void twoObjectsThatHaveChangedPlacesAreFound() {
    log.fold(4);
    Body second = log.objects.get(LogInMemory.LAYOUT.slotKey(2));
    log.change(2, body -> log.objects.get(LogInMemory.LAYOUT.slotKey(3)));
    log.change(3, body -> second);

    assertThat(log.verify(1).hashMismatches()).isEqualTo(3);
  }

  @Test
  void rowsOfAnObjectThatIsMissingAreCounted() {
    log.fold(2, 4);
    log.lose(3);

    assertThat(log.assertFaults(2, 0, 1, 0, 0).findings())
        .containsExactly(
            "slot 3 is missing: there is no object " + LogInMemory.LAYOUT.slotKey(3),
            "slots 3 to 4 lack 2 rows that were settled in them");
  }

  @Test
  void anObjectThatWasChangedIsFoundByItsOwnMetadata() {
    log.fold(4);
    log.change(2, body -> new Body("{}\n".getBytes(UTF_8), body.metadata()));

    assertThat(log.verify(1).findings()).anyMatch(finding -> finding.startsWith("slot 2: "));
  }

  @Test
  void aRowThatIsLostBehindTheFoldIsFound() {
    log.fold(4);
    log.handoff.add(LogInMemory.row((1L << 32) + 1, 15, "{}"));

    assertThat(log.assertFaults(1, 0, 0, 0, 0).findings())
        .singleElement()
        .asString()
        .contains("row 4294967297 of transaction 15 is lost");
  }

  @Test
  void windowsThatDoNotFollowTheFoldAreFound() {
    log.fold(4);
    Position behindFold = log.folds.position();
    SlotPlan fifth = log.plansOf(5).get(0);
    Snapshot end = Snapshot.parse("16:16:");
    Window other = new Window(end, end, true);
    log.plansOf(5).set(0, new SlotPlan(fifth.sha256(), other, fifth.extent(), fifth.bytes()));

    assertThat(log.verify(1).findings())
        .contains("slot 5 begins at 16:16:, the slots before it end at " + behindFold);
  }

  @Test
  void verifyingFromBetweenTwoNotesSaysWhatIsNotProvedAndProvesTheRest() {
    log.fold(2, 4);
    log.forgeFolded(2, LogInMemory.row(90, 12, "{}"), LogInMemory.row(91, 12, "{}"));

    AuditResult fromTheMiddle = log.assertProved(2);
    assertThat(fromTheMiddle.notes())
        .anySatisfy(
            note ->
                assertThat(note)
                    .startsWith("slots 2 to 2 are folded with those from slot 1 on")
                    .contains("--from 1 proves them too"));
    log.assertProved(3);
    log.forgeFolded(4, LogInMemory.row(92, 14, "{}"), LogInMemory.row(93, 14, "{}"));
    assertThat(log.verify(2).hashMismatches()).isEqualTo(1);
    assertThat(log.verify(3).hashMismatches()).isEqualTo(1);
  }

  @Test
  void slotsThatAreFoldedWhileTheyAreReadAreProved() {
    boolean[] once = {false};
    log.beforeRead =
        () -> {
          if (!once[0]) {
            once[0] = true;
            log.fold(2, 4);
          }
        };

    assertThat(log.assertProved(1).notes()).anyMatch(note -> note.contains("slots up to 4"));
  }

  @Test
  void aSlotWithoutARowThatIsNotFoldedIsAFault() {
    log.fold(2);
    log.plans.remove(4L);

    assertThat(log.verify(1).findings())
        .anyMatch(finding -> finding.contains("which no row of slots has for it"));
  }

  /** Lines of a history that was lost have rows neither here nor in a block that was cleared. */
  @Test
  void linesOfFoldedSlotsNeedNoRows() {
    log.fold(4);

    log.assertProved(1);
  }
}
