package dev.recorder.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.HandoffRow;
import dev.recorder.slotlog.LogChain;
import dev.recorder.slotlog.LogHead;
import dev.recorder.store.ObjectStore.Body;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the chain proves of objects, whose slots have rows nowhere any more. */
class ChainProofTest {
  private final LogInMemory log = new LogInMemory();

  /** Slots 1 to 6 of two rows each; those of slots 1 to 4 are cleared away, in slots too. */
  @BeforeEach
  void record() {
    for (int slot = 1; slot <= 6; slot++) {
      if (slot == 5) {
        log.clear(Set.of(0L));
      }
      recordSlot(slot);
    }
    log.deletePlans(4);
  }

  private void recordSlot(int slot) {
    long block = slot < 5 ? 0 : 1L << 32;
    for (int i = 0; i < 2; i++) {
      log.handoff.add(LogInMemory.row(block + 2L * slot + i, 10 + slot, "{}"));
    }
    long next = 11L + slot;
    log.record(next + ":" + next + ":", 100);
  }

  private static HandoffRow[] others(long slot) {
    return new HandoffRow[] {
      LogInMemory.row(90, 10 + slot, "{}"), LogInMemory.row(91, 10 + slot, "{}")
    };
  }

  /** Has an object say that it was written behind other slots. */
  private void comesFromElsewhere(long slot) {
    log.change(
        slot,
        object -> {
          Map<String, String> metadata = new HashMap<>(object.metadata());
          metadata.put("chain", LogChain.of(LogInMemory.LOG).then("other").hash());
          return new Body(object.bytes(), metadata);
        });
  }

  private void assertMismatch(String... findings) {
    assertThat(log.assertFaults(0, 0, 0, 0, findings.length).findings()).containsExactly(findings);
  }

  @Test
  void slotsWithoutRowsAreProved() {
    AuditResult verdict = log.assertProved(1);

    assertThat(verdict.slots()).isEqualTo(6);
    assertThat(verdict.rows()).isEqualTo(12);
    assertThat(verdict.compared()).isEqualTo(4);
    assertThat(verdict.notes()).isEmpty();
  }

  @Test
  void anObjectThatIsWholeAndNotTheOneThatWasSettledIsFoundByTheOneBehindIt() {
    log.replace(2, others(2));

    assertMismatch(
        "slot 3 does not follow slot 2: one of the two was replaced since, as slot 4 follows what"
            + " slot 3 says of itself");
  }

  @Test
  void theSameOfTheLastSlotIsFoundByWhatTheDatabaseNoted() {
    LogHead settled = log.head;
    log.writeOnly(6, others(6)); // With its row in slots, as if somebody had changed that, too.
    log.head = settled;

    assertThat(log.verify(6).findings())
        .anyMatch(
            finding ->
                finding.startsWith("slot 6 is not what was settled: it has chain ")
                    && finding.contains("the database noted " + settled.chain()));
  }

  @Test
  void objectsThatAreAllMadeToFitAreFoundByWhatTheDatabaseNoted() {
    log.replace(3, others(3));
    log.chainFrom(4);

    assertThat(log.assertFaults(0, 0, 0, 0, 1).findings())
        .singleElement()
        .asString()
        .startsWith("slot 6 is not what was settled");
  }

  @Test
  void aSlotThatWasWrittenBehindOtherSlotsIsTold() {
    comesFromElsewhere(3);

    assertMismatch(
        "slot 3 does not follow slot 2: host-a wrote it in epoch 1 behind another one, which was"
            + " replaced or deleted before it was settled");
  }

  @Test
  void theSameIsToldOfTheLastSlot() {
    comesFromElsewhere(6);

    assertMismatch(
        "slot 6 does not follow slot 5: host-a wrote it in epoch 1 behind another one, which was"
            + " replaced or deleted before it was settled");
  }

  @Test
  void aReplacedSlotBeforeTheLastOneIsFound() {
    log.deletePlans(5);
    log.replace(5, others(5));

    assertThat(log.verify(6).findings()).anyMatch(f -> f.startsWith("slot 6 does not follow"));
  }

  @Test
  void slotsThatDoNotFollowOneAfterTheOtherAreAllTold() {
    comesFromElsewhere(2);
    comesFromElsewhere(3);

    assertThat(log.assertFaults(0, 0, 0, 0, 2).findings())
        .satisfiesExactly(
            second -> assertThat(second).startsWith("slot 2 does not follow slot 1: one of"),
            third -> assertThat(third).startsWith("slot 3 does not follow slot 2: host-a"));
  }

  @Test
  void twoObjectsThatHaveChangedPlacesAreNamed() {
    Body second = log.objects.get(LogInMemory.LAYOUT.slotKey(2));
    log.change(2, body -> log.objects.get(LogInMemory.LAYOUT.slotKey(3)));
    log.change(3, body -> second);

    assertThat(log.assertFaults(0, 0, 0, 0, 2).findings())
        .satisfiesExactly(
            there -> assertThat(there).contains("slot 2: ", "says it is slot 3"),
            there -> assertThat(there).contains("slot 3: ", "says it is slot 2"));
  }

  @Test
  void anObjectThatIsMissingIsNamedAndTheNextOnesAreProved() {
    log.lose(2, 3);

    assertThat(log.assertFaults(0, 0, 2, 0, 0).findings())
        .allMatch(finding -> finding.contains("is missing: there is no object"));
    log.deletePlans(5);
    log.replace(5, others(5));
    assertThat(log.verify(1).findings()).anyMatch(f -> f.startsWith("slot 6 does not follow"));
  }

  @Test
  void anObjectThatWasChangedIsNamedOnce() {
    log.change(2, body -> new Body("{}\n".getBytes(UTF_8), body.metadata()));

    assertThat(log.verify(1).findings()).singleElement().asString().startsWith("slot 2: ");
  }

  @Test
  void anObjectWithoutItsChainWasNotWrittenByARecorder() {
    log.change(
        2,
        body -> {
          Map<String, String> metadata = new HashMap<>(body.metadata());
          metadata.remove("chain");
          return new Body(body.bytes(), metadata);
        });

    assertThat(log.assertFaults(0, 0, 0, 0, 1).findings())
        .singleElement()
        .asString()
        .contains("slot 2: ", "its metadata are missing or malformed");
  }

  @Test
  void aRowThatIsLostBehindThemIsFound() {
    log.handoff.add(LogInMemory.row((1L << 32) + 1, 15, "{}"));

    assertThat(log.assertFaults(1, 0, 0, 0, 0).findings())
        .singleElement()
        .asString()
        .contains("row 4294967297 of transaction 15 is lost");
  }

  @Test
  void aSlotWithoutARowAboveThemIsAFault() {
    recordSlot(7);
    log.plans.remove(6L);

    assertThat(log.verify(1).findings())
        .anyMatch(finding -> finding.contains("which no row of slots has for it"));
  }

  @Test
  void rowsThatAreDeletedWhileObjectsAreReadAreNotMissed() {
    recordSlot(7);
    recordSlot(8);
    log.clear(Set.of(0L, 1L));
    log.handoff.clear();
    log.beforeRead = () -> log.deletePlans(7);

    log.assertProved(1);
  }

  // ---- beginning behind the first slot

  @Test
  void theFirstSlotMustFollowTheOneBeforeIt() {
    log.assertProved(3);
    log.replace(2, others(2));

    assertThat(log.verify(3).findings())
        .singleElement()
        .asString()
        .startsWith("slot 3 does not follow slot 2");
  }

  @Test
  void withoutAnythingBeforeItIsProvedByThoseBehindAndThatIsSaid() {
    log.lose(1, 2);

    assertThat(log.assertProved(3).notes())
        .singleElement()
        .asString()
        .startsWith("slot 3 has nothing to follow, as slot 2 is not there");
    log.replace(4, others(4));
    assertThat(log.verify(3).findings())
        .singleElement()
        .asString()
        .startsWith("slot 5 does not follow slot 4");
  }

  @Test
  void theFloorMustFollowWhatTheDatabaseNotedOfTheSlotsBelow() {
    log.floorChain = log.chain(2);
    log.head = log.head(6, 3, log.head.position());
    log.lose(1, 2);

    assertThat(log.assertProved(1).notes()).isEmpty();
    comesFromElsewhere(3);
    assertThat(log.verify(1).findings())
        .singleElement()
        .asString()
        .startsWith("slot 3 does not follow slot 2");
    assertThat(List.of(log.verify(4).ok(), log.verify(5).ok())).containsExactly(false, true);
  }
}
