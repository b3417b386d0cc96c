package dev.recorder.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.lock.Loss.Cause;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;

@SuppressWarnings("LockNotBeforeTry") // what is between lock and unlock is what is tested
class JavaLockTest {
  private final List<TrackedLease> leases = new ArrayList<>();
  private boolean taken;
  private final DistributedLock distributed = new Fake();
  private final Lock lock = distributed.asLock();

  @Test
  void whatIsUnlockedIsReleasedAsDone() {
    lock.lock();
    assertThat(taken).isTrue();

    lock.unlock();

    assertThat(taken).isFalse();
    assertThat(leases.get(0).state()).isEqualTo(LeaseState.RELEASED);
  }

  @Test
  void tryLockTellsWhetherItIsHad() throws Exception {
    assertThat(lock.tryLock()).isTrue();
    assertThat(lock.tryLock()).isFalse();
    assertThat(lock.tryLock(0, TimeUnit.SECONDS)).isFalse();
  }

  @Test
  void whoHasNotLockedCannotUnlock() {
    assertThatThrownBy(lock::unlock)
        .isInstanceOf(IllegalMonitorStateException.class)
        .hasMessageContaining("report");
  }

  @Test
  void whatWasUnlockedCannotBeUnlockedAgain() {
    lock.lock();
    lock.unlock();

    assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
  }

  @Test
  void unlockSaysThatTheLockWasLost() {
    lock.lock();
    leases.get(0).end(new Loss(Cause.SESSION_TERMINATED, "the session has ended"));

    assertThatThrownBy(lock::unlock)
        .isInstanceOf(LeaseLostException.class)
        .hasMessageContaining("the session has ended");
  }

  @Test
  void whoLocksAgainAfterALossUnlocksBoth() {
    lock.lock();
    leases.get(0).end(new Loss(Cause.SESSION_TERMINATED, "the session has ended"));
    taken = false;
    lock.lock();

    lock.unlock();

    assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
  }

  @Test
  void tryLockAnswersWhoWasInterruptedAndForAnyTime() throws Exception {
    assertThat(lock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS)).isTrue();
    Thread.currentThread().interrupt();

    assertThat(lock.tryLock()).isFalse();

    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void anInterruptDoesNotEndTheWaitOfLock() {
    Thread.currentThread().interrupt();

    lock.lock();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(taken).isTrue();
  }

  @Test
  void thereAreNoConditions() {
    assertThatThrownBy(lock::newCondition).isInstanceOf(UnsupportedOperationException.class);
  }

  private final class Fake implements DistributedLock {
    @Override
    public String name() {
      return "report";
    }

    @Override
    public Optional<Lease> tryAcquire() {
      if (taken) {
        return Optional.empty();
      }
      taken = true;
      LeaseLife life = LeaseLife.granted(0, LeaseLife.UNLIMITED, Cause.REVOKED);
      Instruments instruments = new Instruments(Ticker.system(), LockListener.NONE);
      TrackedLease lease =
          new TrackedLease(
              "report",
              1,
              life,
              (which, completed) -> {
                assertThat(completed).isTrue();
                taken = false;
                return null;
              },
              instruments);
      leases.add(lease);
      return Optional.of(lease);
    }

    @Override
    public Optional<Lease> tryAcquire(Duration limit) throws InterruptedException {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      return tryAcquire();
    }
  }
}
