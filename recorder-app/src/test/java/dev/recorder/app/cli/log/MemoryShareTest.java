package dev.recorder.app.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.memory.MemoryBudget;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What objects of several logs take together. */
class MemoryShareTest {
  private static final long MEBIBYTE = 1 << 20;

  private final MemoryBudget budget = new MemoryBudget(8 * MEBIBYTE, () -> 0);
  private final AtomicInteger rests = new AtomicInteger();

  @Test
  void anObjectWaitsUntilThoseOfOtherLogsHaveLeftEnough() {
    MemoryShare other = new MemoryShare(budget, () -> false);
    assertThat(other.of(6 * MEBIBYTE)).isTrue();
    MemoryShare room =
        new MemoryShare(
            budget,
            () -> {
              if (rests.incrementAndGet() == 3) {
                assertThat(other.of(2 * MEBIBYTE)).isTrue();
              }
              return true;
            });

    assertThat(room.of(6 * MEBIBYTE)).isTrue();

    assertThat(rests).hasValue(3);
    assertThat(other.of(3 * MEBIBYTE)).isFalse();
  }

  @Test
  void twoThatWantMoreThanIsLeftDoNotWaitForEachOther() {
    MemoryShare other = new MemoryShare(budget, () -> false);
    assertThat(other.of(4 * MEBIBYTE)).isTrue();
    MemoryShare room =
        new MemoryShare(
            budget,
            () -> {
              // The other wants more, too: it has to wait, and has given back what it had.
              assertThat(other.of(6 * MEBIBYTE)).isFalse();
              return rests.incrementAndGet() < 10;
            });
    assertThat(room.of(3 * MEBIBYTE)).isTrue();

    assertThat(room.of(6 * MEBIBYTE)).isTrue();
    assertThat(rests).hasValue(1);
  }

  @Test
  void anObjectLargerThanAllThereIsIsLookedAtAlone() {
    MemoryShare room = new MemoryShare(budget, () -> false);
    assertThat(room.of(100 * MEBIBYTE)).isTrue();

    MemoryShare other = new MemoryShare(budget, () -> false);
    assertThat(other.of(1)).isFalse();
    room.close();
    assertThat(other.of(1)).isTrue();
  }

  @Test
  void whatIsNotNeededAnyMoreIsGivenBackAtOnce() {
    MemoryShare room = new MemoryShare(budget, () -> false);
    MemoryShare other = new MemoryShare(budget, () -> false);
    assertThat(room.of(8 * MEBIBYTE)).isTrue();
    assertThat(room.of(2 * MEBIBYTE)).isTrue();
    assertThat(other.of(6 * MEBIBYTE)).isTrue();

    assertThat(room.of(0)).isTrue();

    assertThat(other.of(8 * MEBIBYTE)).isTrue();
  }
}
