package dev.recorder.requests.worker;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.memory.MemoryBudget;
import dev.recorder.requests.MemoryReservation;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class UnitMemoryTest {
  private static final long MIB = 1 << 20;

  private final AtomicLong now = new AtomicLong();
  private final MemoryBudget budget = new MemoryBudget(100 * MIB, now::get);

  @Test
  void whatIsSmallIsNotAskedFor() throws Exception {
    try (UnitMemory all = room(0);
        UnitMemory small = room(0)) {
      all.forPayloads(100 * MIB);

      assertThat(small.isThereForDocument(MemoryReservation.SMALL)).isTrue();
      assertThat(small.forDocument(MemoryReservation.SMALL)).isTrue();
      assertThat(small.isThereForDocument(MemoryReservation.SMALL + 1)).isFalse();
    }
  }

  @Test
  void oneThatNeedsMoreThanThereIsHasItAlone() throws Exception {
    try (UnitMemory one = room(16 * MIB);
        UnitMemory other = room(0)) {
      assertThat(one.forPayloads(16 * MIB)).isTrue();
      assertThat(other.forPayloads(1 * MIB)).isFalse();
      assertThat(other.lacked()).isEqualTo(8 * MIB);
      assertThat(one.lacked()).isZero();
    }
    try (UnitMemory other = room(0)) {
      assertThat(other.forPayloads(1 * MIB)).isTrue();
    }
  }

  @Test
  void severalHaveRoomTogetherIfThereIsEnough() throws Exception {
    try (UnitMemory one = room(0);
        UnitMemory other = room(0)) {
      assertThat(one.forPayloads(4 * MIB)).isTrue();
      assertThat(other.forPayloads(4 * MIB)).isTrue();
    }
  }

  @Test
  void whoHasRoomForPayloadsHasItForTheirDocument() throws Exception {
    try (UnitMemory one = room(16 * MIB)) {
      one.forPayloads(1 * MIB);

      assertThat(one.isThereForDocument(16 * MIB)).isTrue();
    }
  }

  @Test
  void aMiddlingUnitDoesNotAskForTheLargestDocumentThereCouldBe() throws Exception {
    try (UnitMemory one = room(16 * MIB);
        UnitMemory other = room(16 * MIB)) {
      assertThat(one.forPayloads(1 * MIB)).isTrue();
      assertThat(other.forPayloads(1 * MIB)).isTrue();
      assertThat(one.isThereForDocument(2 * MIB)).isTrue();
      assertThat(other.isThereForDocument(16 * MIB)).isFalse();
    }
  }

  @Test
  void twoThatHaveTheirPayloadsDoNotWaitForEachOthersDocument() throws Exception {
    try (UnitMemory one = patientRoom();
        UnitMemory other = patientRoom()) {
      one.forPayloads(1 * MIB);
      other.forPayloads(1 * MIB);
      FutureTask<Boolean> waiting = new FutureTask<>(() -> one.forDocument(16 * MIB));
      new Thread(waiting).start();
      await().until(this::somebodyIsNext);

      assertThat(other.forDocument(16 * MIB)).isFalse();

      other.close();
      assertThat(waiting.get()).isTrue();
    }
  }

  private boolean somebodyIsNext() {
    MemoryBudget.Share probe = budget.share();
    boolean grows = probe.growTo(1);
    probe.release();
    return !grows;
  }

  private UnitMemory patientRoom() {
    return new UnitMemory(budget, 16 * MIB, Duration.ofHours(1), now::get);
  }

  /** That does not wait at all. */
  private UnitMemory room(long largestDocument) {
    return new UnitMemory(budget, largestDocument, Duration.ofNanos(-1), now::get);
  }
}
