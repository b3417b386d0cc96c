package dev.recorder.lock.postgres;

import static dev.recorder.lock.Leases.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.lock.Lease;
import dev.recorder.lock.LeaseLostException;
import dev.recorder.lock.Loss;
import dev.recorder.lock.Loss.Cause;
import dev.recorder.postgres.LockSites;
import dev.recorder.testing.servers.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * How soon, and by whom, holders are told that an operator has ended their sessions. A look at the
 * server, which comes anyway, would tell it too, within a quarter of a second: that it is told when
 * it happens is seen by the thread.
 *
 * @param took from the deed to the news, the shortest first
 * @param byTheWatch how often it was read from an idle connection
 */
record EndedSessions(List<Duration> took, int byTheWatch) {
  private static final int SESSIONS = 11;

  private record Told(long at, String by) {}

  /** Ends the sessions of workers, one after the other, each with two leases. */
  static EndedSessions measure(TestDatabase database, Function<String, AdvisoryLocks> opening)
      throws Exception {
    List<Duration> took = new ArrayList<>();
    int byTheWatch = 0;
    for (int i = 0; i < SESSIONS; i++) {
      String worker = "ended" + i;
      try (AdvisoryLocks locks = opening.apply(worker)) {
        Lease one = take(locks.lock(worker + "/1"));
        Lease two = take(locks.lock(worker + "/2"));
        CompletableFuture<Told> first = told(one);
        CompletableFuture<Told> second = told(two);
        Thread.sleep(50);
        long asked = System.nanoTime();
        LockSites.terminate(database, worker);
        long at = Math.max(at(first), at(second));
        took.add(Duration.ofNanos(at - asked));
        byTheWatch += first.get().by().startsWith("session-watch") ? 1 : 0;
        isOver(one);
        isOver(two);
        assertThat(locks.lock(worker + "/1").tryAcquire()).as("on a new session").isPresent();
      }
    }
    took.sort(null);
    return new EndedSessions(took, byTheWatch);
  }

  private static CompletableFuture<Told> told(Lease lease) {
    return lease
        .lost()
        .thenApply(loss -> new Told(System.nanoTime(), Thread.currentThread().getName()))
        .toCompletableFuture();
  }

  private static long at(CompletableFuture<Told> told) throws Exception {
    return told.get(1, TimeUnit.MINUTES).at();
  }

  private static void isOver(Lease lease) throws Exception {
    Loss loss = lease.lost().toCompletableFuture().get();
    assertThat(loss.cause()).isEqualTo(Cause.SESSION_TERMINATED);
    assertThat(loss.detail()).contains("57P01");
    assertThatThrownBy(lease::close)
        .isInstanceOf(LeaseLostException.class)
        .hasMessageContaining("session terminated");
  }

  Duration median() {
    return took.get(took.size() / 2);
  }

  void assertToldWhenItHappens(String how) {
    System.out.println(
        "figure: advisory, %s, told after %.1f ms (median of %d), %.1f ms at most; %d times by the watch"
            .formatted(
                how, millis(median()), took.size(), millis(took.get(took.size() - 1)), byTheWatch));
    assertThat(byTheWatch).as("nearly always, unless the host is busy").isPositive();
  }

  private static double millis(Duration duration) {
    return duration.toNanos() / 1e6;
  }
}
