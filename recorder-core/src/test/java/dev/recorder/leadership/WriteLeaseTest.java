package dev.recorder.leadership;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WriteLeaseTest {
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 10);
  private final WriteLease lease = new WriteLease(now::get);

  @Test
  void isDeadUntilItIsExtended() {
    assertThat(lease.isAlive()).isFalse();
  }

  @Test
  void livesUntilItsEndEvenIfMonotonicTimeOverflows() {
    lease.extendTo(now.get() + 20);
    now.addAndGet(19);
    assertThat(lease.isAlive()).isTrue();

    now.incrementAndGet();
    assertThat(lease.isAlive()).isFalse();
  }

  @Test
  void canBeEndedAtOnce() {
    lease.extendTo(now.get() + 20);
    lease.end();

    assertThat(lease.isAlive()).isFalse();
  }
}
