package dev.recorder.lock.postgres;

import static dev.recorder.lock.Leases.finish;
import static dev.recorder.lock.Leases.take;
import static dev.recorder.testing.Patience.A_MINUTE;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LeaseLostException;
import dev.recorder.lock.LeaseState;
import dev.recorder.lock.LockException;
import dev.recorder.lock.LockListener;
import dev.recorder.postgres.Sessions;
import dev.recorder.testing.network.TcpProxy;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Locks that are free again when their time is over, on a real server. */
class TimeoutLocksIT extends RowLocksContract {
  private static final Duration DAY = Duration.ofDays(1);

  TimeoutLocksIT() {
    super("lock_timeout", "(due_at < clock_timestamp())");
  }

  @Override
  protected Locks open(Sessions sessions, Instruments instruments) {
    TimeoutLocks locks = site.opened(new TimeoutLocks(sessions, instruments));
    return (id, options) -> locks.lock(id, DAY, options);
  }

  @Override
  protected void free(String id) throws Exception {
    age(id, "2 days");
  }

  private static TimeoutLocks locks(String worker) {
    return site.opened(new TimeoutLocks(site.sessions(worker), Instruments.PLAIN));
  }

  /** As if the lock had been had {@code age} ago. */
  private static void age(String id, String age) throws Exception {
    site.execute(
        "UPDATE recorder.lock_timeout SET ts = t.now, due_at = due_at - ts + t.now"
            + " FROM (SELECT clock_timestamp() - interval '"
            + age
            + "' AS now) t WHERE id = '"
            + id
            + "'");
  }

  @Test
  void aLockStaysTakenUntilItsTimeIsOverWhetherItIsClosedOrNot() throws Exception {
    Lease lease = take(locks("a").lock("daily", DAY));
    finish(lease);
    lease.close();
    assertThat(locks("b").lock("daily", DAY).tryAcquire()).isEmpty();
    age("daily", "25 hours");
    assertThat(locks("b").lock("daily", DAY).tryAcquire()).isPresent();
    assertThat(locks("a").lock("daily", DAY).tryAcquire()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "P1D, 23:54:00, false", // five minutes are less than a hundredth of a day
    "P1D, 23:55:03, true",
    "PT1H, 00:58:30, false",
    "PT1H, 00:59:27, true",
    "PT1M40S, 00:00:30, false",
    "PT1M40S, 00:01:39.5, true"
  })
  void aJobThatStartsALittleEarlyIsNotSkipped(Duration timeout, String age, boolean granted)
      throws Exception {
    String id = "early " + timeout + age;
    take(locks("a").lock(id, timeout));
    age(id, age);
    assertThat(locks("b").lock(id, timeout).tryAcquire().isPresent()).isEqualTo(granted);
  }

  @Test
  void theSlackIsAHundredthAndAtMostFiveMinutes() {
    assertThat(TimeoutLocks.slack(Duration.ofHours(1))).isEqualTo(Duration.ofSeconds(36));
    assertThat(TimeoutLocks.slack(DAY)).isEqualTo(Duration.ofMinutes(5));
    assertThat(TimeoutLocks.slack(Duration.ofDays(30))).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void aWaiterGetsTheLockWhenItsTimeIsOver() throws Exception {
    long start = System.nanoTime();
    Lease first = take(locks("a").lock("second", Duration.ofSeconds(1)));
    Optional<Lease> next = locks("b").lock("second", Duration.ofSeconds(1)).tryAcquire(A_MINUTE);
    assertThat(next).isPresent();
    assertThat(next.orElseThrow().token()).isGreaterThan(first.token());
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(900));
  }

  @Test
  @Tag("smoke")
  void theTimeoutOfWhoHadItLastCountsAndWhoTakesItBringsTheNext() throws Exception {
    take(locks("a").lock("changed", DAY));
    Duration minute = Duration.ofMinutes(1);
    age("changed", "1 hour");
    assertThat(locks("b").lock("changed", minute).tryAcquire()).isEmpty();
    age("changed", "1 day");
    take(locks("b").lock("changed", minute));
    age("changed", "1 minute");
    assertThat(locks("a").lock("changed", DAY).tryAcquire()).isPresent();
  }

  @Test
  void whatIsLeftIsCountedFromBeforeTheRequestAndLessTheSlack() {
    AtomicLong now = new AtomicLong();
    // Each look at the time takes a second: what is left is counted from the first.
    Instruments slow =
        new Instruments(() -> now.getAndAdd(Duration.ofSeconds(1).toNanos()), LockListener.NONE);
    TimeoutLocks locks = site.opened(new TimeoutLocks(site.sessions("slow"), slow));
    Lease lease = take(locks.lock("left", Duration.ofSeconds(1_000)));
    assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(985));
    now.addAndGet(Duration.ofSeconds(1_000).toNanos());
    assertThat(lease.remaining()).isZero();
    assertThatThrownBy(() -> lease.ensure(Duration.ZERO)).isInstanceOf(LeaseLostException.class);
    assertThat(lease.state()).isEqualTo(LeaseState.HELD);
    lease.close();
    assertThat(lease.lost().toCompletableFuture()).isNotDone();
  }

  @Test
  void onlyTheServersClockCounts() throws Exception {
    // A worker whose clock has run three days ahead, or stands still, has no turn for that.
    AtomicLong ahead = new AtomicLong();
    Instruments fast =
        new Instruments(
            () -> ahead.addAndGet(Duration.ofDays(3).toNanos() / 100), LockListener.NONE);
    take(locks("a").lock("clock", DAY));
    TimeoutLocks locks = site.opened(new TimeoutLocks(site.sessions("fast"), fast));
    for (int i = 0; i < 100; i++) {
      assertThat(locks.lock("clock", DAY).tryAcquire()).isEmpty();
    }
    assertThat(row("clock", "abs(extract(epoch FROM clock_timestamp() - ts)) < 60")).isEqualTo("t");
  }

  @Test
  void anOperatorLetsALockBeHadAtOnce() {
    TimeoutLocks locks = locks("a");
    take(locks.lock("now", DAY));
    assertThat(locks.release("default", "now")).isTrue();
    assertThat(locks.release("default", "now")).isFalse();
    assertThat(locks("b").lock("now", DAY).tryAcquire()).isPresent();
  }

  @Test
  void aTurnIsGivenBackOnceAlsoIfThatIsNotAnsweredEither() throws Exception {
    take(locks("a").lock("returned", DAY, RowOptions.DEFAULT.withRetries(9)));
    age("returned", "2 days");
    try (TcpProxy proxy = site.proxy()) {
      TimeoutLocks cut = site.opened(new TimeoutLocks(site.cut(proxy), RowSite.TRUSTING));
      take(cut.lock("something", DAY));
      proxy.pauseToClient();
      assertThatThrownBy(() -> cut.lock("returned", DAY).tryAcquire())
          .isInstanceOf(LockException.class);
      assertThat(row("returned", "retries_left")).isEqualTo("7");
      giveBackWithoutAnAnswer(cut, proxy);
      proxy.resume();

      cut.lock("whatever", DAY).tryAcquire();
      assertThat(row("returned", "retries_left")).as("given back once").isEqualTo("8");

      take(locks("b").lock("returned", DAY));
      cut.lock("whatever", DAY).tryAcquire();
      assertThat(row("returned", "retries_left")).as("the successor's turn").isEqualTo("7");
      assertThat(locks("c").lock("returned", DAY).tryAcquire()).isEmpty();
    }
  }

  /** The row is kept from the statement until nobody can hear any more what became of it. */
  private void giveBackWithoutAnAnswer(TimeoutLocks cut, TcpProxy proxy) throws Exception {
    CompletableFuture<Optional<Lease>> next;
    try (Connection other = site.database.connectAsSuperuser();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("SELECT FROM recorder.lock_timeout WHERE id = 'returned' FOR UPDATE");
      proxy.resume();
      next = CompletableFuture.supplyAsync(() -> cut.lock("whatever", DAY).tryAcquire());
      await()
          .pollInterval(Duration.ofMillis(5))
          .until(
              () ->
                  "1"
                      .equals(
                          site.text(
                              "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                                  + " AND application_name LIKE 'recorder/cut/%'")));
      proxy.pauseToClient();
      other.commit();
    }
    assertThat(next).failsWithin(A_MINUTE);
    assertThat(row("returned", "retries_left")).as("given back, unheard").isEqualTo("8");
  }

  @Test
  void aTimeoutThatMakesNoSenseIsRefused() {
    for (Duration bad : List.of(Duration.ZERO, Duration.ofNanos(1), Duration.ofDays(36_500))) {
      assertThatThrownBy(() -> locks("a").lock("bad", bad))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
