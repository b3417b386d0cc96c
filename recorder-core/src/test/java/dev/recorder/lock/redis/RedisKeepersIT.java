package dev.recorder.lock.redis;

import static dev.recorder.lock.Leases.lossOf;
import static dev.recorder.lock.Leases.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.lock.FencingCounter;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LockException;
import dev.recorder.lock.LockListener;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Leases end, and none is granted, when the thread fails that renews them or tells of losses. */
@Isolated("Whatever waits in this process by means of Awaitility hears of a thread that fails.")
class RedisKeepersIT {
  @AutoClose private final RedisSite site = new RedisSite();

  private volatile boolean broken;

  private Instruments failingOn(String thread) {
    return new Instruments(
        () -> {
          if (broken && Thread.currentThread().getName().startsWith(thread)) {
            throw new NoClassDefFoundError("com/example/Gone");
          }
          return System.nanoTime();
        },
        LockListener.NONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis-lock-keeper", "redis-lock-deadlines"})
  void leasesAreLostWithTheThreadThatKeepsThem(String thread) throws Exception {
    RedisLocks locks = site.proxied("one", RedisSite.OPTIONS, failingOn(thread));
    Lease lease = take(locks.lock("job"));
    Lease other = take(locks.lock("other"));
    broken = true;

    assertThat(lossOf(lease).detail()).contains("its keeper has failed", "com/example/Gone");
    assertThat(lossOf(other).detail()).contains("its keeper has failed", "com/example/Gone");
    assertRefused(locks);
  }

  @Test
  void aCounterThatFailsWithAnErrorEndsAllLeases() throws Exception {
    AtomicLong counter = new AtomicLong();
    FencingCounter failing =
        name -> {
          if (broken) {
            throw new NoClassDefFoundError("com/example/Gone");
          }
          return counter.incrementAndGet();
        };
    RedisLocks locks = site.counting("one", RedisSite.OPTIONS, failing);
    Lease lease = take(locks.lock("job"));
    Lease other = take(locks.lock("other"));
    broken = true;

    site.server().ask("DEL", RedisSite.key("job"));

    assertThat(lossOf(lease).detail()).contains("its keeper has failed", "com/example/Gone");
    assertThat(lossOf(other).detail()).contains("its keeper has failed", "com/example/Gone");
    assertRefused(locks);
  }

  private static void assertRefused(RedisLocks locks) {
    assertThatThrownBy(() -> locks.lock("next").tryAcquire())
        .isInstanceOfSatisfying(
            LockException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(LockException.Kind.UNUSABLE);
              assertThat(e.getMessage()).contains("its keeper has failed");
            });
  }
}
