package dev.recorder.machine.term;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.memory.MemoryBudget;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an object that is read for clearing takes of the memory that all recorders share. */
class ClearingRoomTest {
  private static final long MEBIBYTE = 1 << 20;

  private final AtomicLong seconds = new AtomicLong();
  private final MemoryBudget budget =
      new MemoryBudget(8 * MEBIBYTE, () -> seconds.get() * 1_000_000_000);
  private final MemoryBudget.Share slot = budget.share();

  /** Time goes on by a second each time somebody asks whether to wait any longer. */
  private final ClearingRoom room =
      new ClearingRoom(
          budget, () -> seconds.incrementAndGet() > 0, () -> seconds.get() * 1_000_000_000);

  @AfterEach
  void close() {
    room.close();
  }

  @Test
  void whatAnObjectTakesIsTakenFromSlotsAndGivenBack() {
    assertThat(room.of(6 * MEBIBYTE)).isTrue();
    assertThat(slot.growTo(3 * MEBIBYTE)).isFalse();

    assertThat(room.of(2 * MEBIBYTE)).isTrue();
    assertThat(slot.growTo(3 * MEBIBYTE)).isTrue();

    assertThat(room.of(0)).isTrue();
    assertThat(slot.growTo(8 * MEBIBYTE)).isTrue();
  }

  @Test
  void anObjectLargerThanAllThereIsGetsAllOfItAlone() {
    assertThat(room.of(100 * MEBIBYTE)).isTrue();

    assertThat(slot.growTo(1)).isFalse();
  }

  @Test
  void whoFindsNoRoomGivesUpAfterHalfAMinuteAndHoldsNothing() {
    assertThat(room.of(1 * MEBIBYTE)).isTrue();
    slot.growTo(6 * MEBIBYTE);

    assertThat(room.of(4 * MEBIBYTE)).isFalse();

    assertThat(seconds.get()).isBetween(30L, 32L);
    assertThat(slot.growTo(8 * MEBIBYTE)).isTrue();
  }

  @Test
  void slotsGoBeforeForTenSecondsAndThenOneWaits() {
    slot.growTo(6 * MEBIBYTE);
    MemoryBudget.Share other = budget.share();
    ClearingRoom patient =
        new ClearingRoom(
            budget,
            () -> {
              long second = seconds.incrementAndGet();
              if (second == 5) {
                assertThat(other.growTo(MEBIBYTE / 2)).isTrue();
              } else if (second == 13) {
                assertThat(other.growTo(MEBIBYTE)).isFalse();
              } else if (second == 14) {
                slot.release();
              }
              return true;
            },
            () -> seconds.get() * 1_000_000_000);

    assertThat(patient.of(4 * MEBIBYTE)).isTrue();

    assertThat(seconds.get()).isEqualTo(14);
    patient.close();
  }

  @Test
  void whoGivesUpInItsTurnGivesTheTurnBack() {
    slot.growTo(6 * MEBIBYTE);
    ClearingRoom stopped =
        new ClearingRoom(
            budget, () -> seconds.incrementAndGet() < 13, () -> seconds.get() * 1_000_000_000);

    assertThat(stopped.of(4 * MEBIBYTE)).isFalse();

    assertThat(slot.growTo(8 * MEBIBYTE)).isTrue();
    stopped.close();
  }

  @Test
  void whoseTermIsOverWaitsNoLonger() {
    slot.growTo(6 * MEBIBYTE);
    ClearingRoom over = new ClearingRoom(budget, () -> false, () -> 0);

    assertThat(over.of(4 * MEBIBYTE)).isFalse();

    over.close();
  }
}
