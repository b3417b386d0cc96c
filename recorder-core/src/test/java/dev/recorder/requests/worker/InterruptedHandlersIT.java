package dev.recorder.requests.worker;

import static dev.recorder.testing.Patience.A_MINUTE;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.recorder.handoff.RecorderName;
import dev.recorder.memory.MemoryBudget;
import dev.recorder.requests.Outcome;
import dev.recorder.requests.RequestHandler;
import dev.recorder.requests.RequestHandlerProvider;
import dev.recorder.requests.WorkUnit;
import dev.recorder.requests.handlers.NamedHandlers;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.time.FatalErrorHandler;
import dev.recorder.time.Supervision;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A handler that is interrupted by nobody but itself fails; it ends none of the workers. */
class InterruptedHandlersIT {
  private static final int MOST_ATTEMPTS = 2;

  @TempDir private Path folder;
  private Accounts.Hosted accounts;

  /** Does what the entity's name says. */
  public static final class Moody implements RequestHandlerProvider {
    @Override
    public String name() {
      return "moody";
    }

    @Override
    public RequestHandler create(RecorderName recorder) {
      return Moody::handle;
    }

    private static Outcome handle(WorkUnit unit) throws InterruptedException {
      switch (unit.entity()) {
        case "throws" -> throw new InterruptedException("of its own");
        case "leaves" -> {
          Thread.currentThread().interrupt();
          return new Outcome.Retry("the line is busy");
        }
        case "completes and leaves" -> Thread.currentThread().interrupt();
        case "waits" -> new CountDownLatch(1).await();
        case "takes its time" -> TimeUnit.MILLISECONDS.sleep(1_500);
        case "is deaf" -> hearNothingUntilTheSessionIsEnded();
        default -> {}
      }
      return new Outcome.Complete();
    }

    private static void hearNothingUntilTheSessionIsEnded() {
      long end = System.nanoTime() + TimeLimit.GRACE.plusSeconds(2).toNanos();
      while (System.nanoTime() - end < 0) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        var unused = Thread.interrupted();
      }
    }
  }

  @BeforeEach
  void start() throws Exception {
    accounts =
        new Accounts.Hosted(
            new MemoryStore(), MemoryBudget.unlimited(), Supervision.by(FatalErrorHandler.IGNORED));
  }

  @AfterEach
  void stop() throws Exception {
    accounts.close();
  }

  private void add(Duration timeLimit) throws Exception {
    BackEndSettings settings =
        BackEndSettings.of(
                Accounts.LOCK_ID,
                Accounts.LAYOUT,
                new BackEndSettings.BackEndCapacity(1, timeLimit, MOST_ATTEMPTS))
            .handler("moody")
            .build();
    NamedHandlers.inContext(
        folder,
        Moody.class.getName(),
        () -> {
          accounts.add(settings);
          await().until(accounts::isReady);
        });
  }

  private void awaitError(String entity) {
    await().until(() -> of(entity, "request_status").equals("error"));
  }

  private String of(String entity, String column) throws Exception {
    return accounts.text(
        "SELECT " + column + " FROM handoff.accounts WHERE entity_id = '" + entity + "'");
  }

  /** Of a server that has such a limit, which came with version 17. */
  @Test
  @Tag("smoke")
  void noLimitOfTheDatabasesForTransactionsEndsAUnit() throws Exception {
    String set = "ALTER DATABASE " + accounts.database.name() + " SET transaction_timeout = '1s'";
    assumeThat(accounts.database.server().majorVersion()).isGreaterThanOrEqualTo(17);
    accounts.database.execute(set);
    add(A_MINUTE);
    accounts.insert("create", "takes its time", "{}");

    accounts.awaitComplete(1);

    assertThat(of("takes its time", "attempts")).isEqualTo("1");
  }

  @Test
  void anInterruptOfItsOwnIsAFailureThatCountsAndTheOnlyWorkerGoesOn() throws Exception {
    add(A_MINUTE);
    accounts.insert("create", "throws", "{}");

    awaitError("throws");

    assertThat(of("throws", "error_text"))
        .contains("the handler was interrupted by itself", "InterruptedException: of its own");
    assertThat(of("throws", "attempts")).isEqualTo(Integer.toString(MOST_ATTEMPTS));
    accounts.insert("create", "calm", "{}");
    accounts.awaitComplete(1);
  }

  @Test
  void anInterruptThatItLeavesIsDroppedAndWhatItSaidHolds() throws Exception {
    add(A_MINUTE);
    accounts.insert("create", "leaves", "{}");
    accounts.insert("create", "completes and leaves", "{}");

    awaitError("leaves");
    accounts.awaitComplete(1);

    assertThat(of("leaves", "error_text")).contains("the line is busy");
    accounts.insert("create", "calm", "{}");
    accounts.awaitComplete(2);
  }

  /** Nobody else would ever begin it, and count it as lost. */
  @Test
  void oneThatHearsNoInterruptIsGivenUpAlsoByTheOnlyWorker() throws Exception {
    add(Duration.ofMillis(300));
    accounts.insert("create", "is deaf", "{}");

    awaitError("is deaf");

    assertThat(of("is deaf", "error_text"))
        .startsWith("given up: 3 processes died, or were cut off");
    accounts.insert("create", "calm", "{}");
    accounts.awaitComplete(1);
  }

  @Test
  void theInterruptOfTheTimeLimitIsStillSaidToBeThat() throws Exception {
    add(Duration.ofMillis(300));
    accounts.insert("create", "waits", "{}");

    awaitError("waits");

    assertThat(of("waits", "error_text")).contains("not done within handler_timeout, 300 ms");
  }
}
