package dev.recorder.requests.worker;

import static dev.recorder.testing.Patience.A_MINUTE;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.RecorderName;
import dev.recorder.memory.MemoryBudget;
import dev.recorder.requests.Outcome;
import dev.recorder.requests.RequestHandler;
import dev.recorder.requests.RequestHandlerProvider;
import dev.recorder.requests.handlers.NamedHandlers;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.time.Supervision;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever takes a recorder on has more to do than to wait for its handler to be made. */
class HandlersMadeIT {
  private static final CountDownLatch READY = new CountDownLatch(1);

  @TempDir private Path folder;
  private final List<Throwable> fatal = new CopyOnWriteArrayList<>();
  private Accounts.Hosted accounts;

  /** Waits while it makes a handler, as for a service that does not answer. */
  public static final class Slow implements RequestHandlerProvider {
    @Override
    public String name() {
      return "made";
    }

    @Override
    public RequestHandler create(RecorderName recorder) {
      try {
        READY.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return unit -> new Outcome.Complete();
    }
  }

  /** Throws what it does not declare, as one in another language may. */
  public static final class Sneaky implements RequestHandlerProvider {
    @Override
    public String name() {
      return "made";
    }

    @Override
    public RequestHandler create(RecorderName recorder) {
      Sneaky.<RuntimeException>fail();
      return unit -> new Outcome.Complete();
    }

    @SuppressWarnings("unchecked")
    private static <E extends Exception> void fail() throws E {
      throw (E) new IOException("no route to host");
    }
  }

  @BeforeEach
  void start() throws Exception {
    accounts =
        new Accounts.Hosted(
            new MemoryStore(), MemoryBudget.unlimited(), Supervision.by(fatal::add));
  }

  @AfterEach
  void stop() throws Exception {
    READY.countDown();
    accounts.close();
  }

  private void add() throws InterruptedException {
    accounts.add(
        BackEndSettings.of(
                Accounts.LOCK_ID,
                Accounts.LAYOUT,
                new BackEndSettings.BackEndCapacity(2, A_MINUTE, 2))
            .handler("made")
            .build());
  }

  @Test
  void nobodyWaitsForAHandlerThatIsBeingMade() throws Exception {
    NamedHandlers.inContext(
        folder,
        Slow.class.getName(),
        () -> {
          add();
          assertThat(accounts.stated())
              .isEqualTo(Map.of("accounts is not able", "testing database and store"));
          READY.countDown();
          await().until(accounts::isReady);
        });

    accounts.insert("create", "a", "{}");
    accounts.awaitComplete(1);
  }

  @Test
  void whateverItThrowsItsRecorderIsRefusedAndTheHostGoesOn() throws Exception {
    NamedHandlers.inContext(
        folder,
        Sneaky.class.getName(),
        () -> {
          add();
          await().until(() -> accounts.stated().containsKey("accounts is refused"));
        });

    assertThat(accounts.stated())
        .hasEntrySatisfying(
            "accounts is refused",
            why -> assertThat(why).endsWith("java.io.IOException: no route to host"))
        .hasSize(1);
    assertThat(accounts.isReady()).isFalse();
    assertThat(fatal).isEmpty();
  }
}
