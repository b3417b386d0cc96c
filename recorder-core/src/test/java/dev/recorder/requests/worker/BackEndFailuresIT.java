package dev.recorder.requests.worker;

import static dev.recorder.testing.Patience.A_MINUTE;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.memory.MemoryBudget;
import dev.recorder.store.DocumentStore;
import dev.recorder.testing.MemoryStore;
import dev.recorder.time.Supervision;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What fails unforeseen on the threads that process requests. */
class BackEndFailuresIT {
  private static final BackEndSettings SETTINGS = Accounts.settings(1, A_MINUTE);

  private final BlockingQueue<Throwable> told = new LinkedBlockingQueue<>();
  private final Error fatal = new NoClassDefFoundError("com/example/Gone");
  private final AtomicReference<Throwable> next = new AtomicReference<>();
  private final MemoryStore bucket = new MemoryStore();
  private volatile boolean leavesInterrupts;
  private Accounts.Hosted accounts;

  @BeforeEach
  void start() throws Exception {
    DocumentStore store = Accounts.failing(bucket, this::failure);
    accounts = new Accounts.Hosted(store, MemoryBudget.unlimited(), Supervision.by(told::add));
  }

  @AfterEach
  void stop() throws Exception {
    accounts.close();
  }

  @Test
  void anErrorOfAWorkerIsToldAndNotWorkedOn() throws Exception {
    accounts.hire(SETTINGS);
    accounts.insert("create", "x", "{}");
    accounts.awaitComplete(1);
    next.set(fatal);
    accounts.insert("create", "y", "{}");

    assertThat(told.poll(60, TimeUnit.SECONDS)).isSameAs(fatal);
  }

  @Test
  void anExceptionInTheCheckOfTheStoreIsTriedAgain() throws Exception {
    next.set(new IllegalStateException("a bug"));
    accounts.hire(SETTINGS);
    accounts.insert("create", "x", "{}");

    accounts.awaitComplete(1);
    assertThat(next).hasNullValue();
    assertThat(told).isEmpty();
  }

  /** As a store's client may leave one. */
  @Test
  void anInterruptThatIsLeftInTheCheckOfTheStoreOrByAUnitEndsNoWorker() throws Exception {
    leavesInterrupts = true;
    next.set(new IllegalStateException("a bug"));
    accounts.hire(SETTINGS);
    accounts.insert("create", "x", "{}");
    accounts.awaitComplete(1);
    next.set(new IllegalStateException("another bug"));
    accounts.insert("create", "y", "{}");

    accounts.awaitComplete(2);
    assertThat(told).isEmpty();
  }

  @Test
  void anErrorInTheCheckOfTheStoreIsTold() throws Exception {
    next.set(fatal);
    accounts.hire(SETTINGS);

    assertThat(told.poll(60, TimeUnit.SECONDS)).isSameAs(fatal);
  }

  @Test
  void anErrorOfTheListenerIsTold() throws Exception {
    try (Caretaker caretaker =
        caretaker(
            () -> {
              throw fatal;
            })) {
      caretaker.start();
      assertThat(told.poll(60, TimeUnit.SECONDS)).isSameAs(fatal);
    }
  }

  @Test
  void theListenerGoesOnAfterAnException() {
    AtomicInteger calls = new AtomicInteger();
    try (Caretaker caretaker =
        caretaker(
            () -> {
              calls.incrementAndGet();
              throw new IllegalStateException("a bug");
            })) {
      caretaker.start();
      await().until(() -> calls.get() > 1);
      assertThat(told).isEmpty();
    }
  }

  private Caretaker caretaker(Supplier<Collection<BackEndSettings>> recorders) {
    Caretaker.Site site =
        new Caretaker.Site() {
          @Override
          public Collection<BackEndSettings> recorders() {
            return recorders.get();
          }

          @Override
          public boolean mayClear(BackEndSettings recorder) {
            return true;
          }

          @Override
          public void notified(String recorder) {}
        };
    return new Caretaker(accounts.sessions, Duration.ofSeconds(2), site, Supervision.by(told::add));
  }

  private @Nullable Throwable failure(Method method, Object[] arguments) {
    if (method.getDeclaringClass() == Object.class) {
      return null;
    }
    Throwable failure = next.getAndSet(null);
    if (failure != null && leavesInterrupts) {
      Thread.currentThread().interrupt();
    }
    return failure;
  }
}
