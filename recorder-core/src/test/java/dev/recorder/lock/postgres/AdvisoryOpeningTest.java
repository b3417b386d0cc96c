package dev.recorder.lock.postgres;

import static dev.recorder.testing.Patience.A_MINUTE;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.lock.LockException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Many threads ask for locks while there is no session, and none to be had. */
class AdvisoryOpeningTest {
  private final CountDownLatch answer = new CountDownLatch(1);
  private final AtomicInteger asked = new AtomicInteger();
  private final AdvisoryLocks locks = AdvisoryLocks.on(silent());
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean interrupting;

  /** A server that says nothing until it is told to, and then that it is not there. */
  private DataSource silent() {
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              boolean isFirst = asked.incrementAndGet() == 1;
              answer.await();
              if (isFirst && interrupting) {
                Thread.currentThread().interrupt();
              }
              throw new SQLException("no connection", "08001");
            });
  }

  private CompletableFuture<Throwable> asks() {
    CompletableFuture<Throwable> outcome = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                locks.lock("a-lock").tryAcquire();
                outcome.cancel(false);
              } catch (LockException refused) {
                outcome.complete(refused);
              }
            });
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
    return outcome;
  }

  private void awaitThatAllWait() {
    for (Thread thread : threads) {
      await()
          .until(
              () ->
                  thread.getState() == Thread.State.WAITING
                      || thread.getState() == Thread.State.TIMED_WAITING);
    }
  }

  @Test
  void whoWaitsWhileNoSessionCanBeOpenedFailsWithTheOneThatTried() throws Exception {
    List<CompletableFuture<Throwable>> outcomes = new ArrayList<>();
    outcomes.add(asks());
    await().until(() -> asked.get() == 1);
    for (int i = 0; i < 4; i++) {
      outcomes.add(asks());
    }
    awaitThatAllWait();
    answer.countDown();

    for (CompletableFuture<Throwable> outcome : outcomes) {
      assertThat(outcome.get(1, TimeUnit.MINUTES))
          .isInstanceOfSatisfying(
              LockException.class,
              e -> assertThat(e.kind()).isEqualTo(LockException.Kind.UNREACHABLE))
          .hasMessageContaining("no connection");
    }
    assertThat(asked).hasValue(1);
    assertThatThrownBy(() -> locks.lock("a-lock").tryAcquire()).isInstanceOf(LockException.class);
    assertThat(asked).as("attempts, with one that came later").hasValue(2);
  }

  /** As a pool fails for the thread that was interrupted. */
  @Test
  void anInterruptOfTheOneThatTriesIsNobodyElsesFailure() throws Exception {
    interrupting = true;
    CompletableFuture<Throwable> interrupted = asks();
    await().until(() -> asked.get() == 1);
    CompletableFuture<Throwable> another = asks();
    awaitThatAllWait();
    answer.countDown();

    assertThat(interrupted).succeedsWithin(A_MINUTE);
    assertThat(another).succeedsWithin(A_MINUTE);
    assertThat(asked).hasValue(2);
  }

  @Test
  void nobodyWaitsForLongForOneThatGetsNoAnswer() {
    CompletableFuture<Throwable> first = asks();
    await().until(() -> asked.get() == 1);

    assertThat(asks())
        .succeedsWithin(A_MINUTE)
        .asString()
        .contains("another thread has waited for the session for 5 s");
    assertThat(first).isNotDone();
    answer.countDown();
    assertThat(first).succeedsWithin(A_MINUTE);
  }
}
