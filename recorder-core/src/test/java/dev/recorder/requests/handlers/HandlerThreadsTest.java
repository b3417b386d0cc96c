package dev.recorder.requests.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.recorder.handoff.RecorderName;
import dev.recorder.time.FatalErrorHandler;
import dev.recorder.time.NamedThreadFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class HandlerThreadsTest {
  private final HandlerThreads threads = new HandlerThreads(new RecorderName("accounts"));
  private final Logger logger = (Logger) LoggerFactory.getLogger(HandlerThreads.class);
  private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

  @BeforeEach
  void listen() {
    logged.start();
    logger.addAppender(logged);
    logger.setAdditive(false);
  }

  @AfterEach
  void listenNoMore() {
    logger.setAdditive(true);
    logger.detachAppender(logged);
  }

  @Test
  void whatEndsAThreadThatTheHandlerHasStartedIsToldAndEndsNothingElse() throws Exception {
    List<Throwable> asked = new CopyOnWriteArrayList<>();
    Thread.UncaughtExceptionHandler former = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, fault) -> asked.add(fault));
    try {
      AtomicReference<Thread> started = new AtomicReference<>();
      Thread handler =
          new NamedThreadFactory("handler", FatalErrorHandler.IGNORED, threads)
              .newThread(() -> started.set(thrown(new NoClassDefFoundError("com/example/Gone"))));
      handler.start();
      handler.join();
      started.get().join();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(former);
    }

    assertThat(asked).isEmpty();
    assertThat(logged.list)
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line.getLevel()).isEqualTo(Level.WARN);
              assertThat(line.getFormattedMessage())
                  .isEqualTo(
                      "a thread of the handler of recorder accounts has ended, of-the-handler:"
                          + " it did not catch an exception");
            });
  }

  @Test
  void aThreadOfTheMachineTellsTheMachine() throws Exception {
    List<Throwable> told = new ArrayList<>();
    Error fault = new NoClassDefFoundError("com/example/Gone");

    Thread worker =
        new NamedThreadFactory("request-accounts", told::add, threads)
            .newThread(
                () -> {
                  throw fault;
                });
    worker.start();
    worker.join();

    assertThat(worker.getName()).isEqualTo("request-accounts-1");
    assertThat(told).containsExactly(fault);
    assertThat(logged.list).isEmpty();
  }

  private static Thread thrown(Error fault) {
    Thread thread =
        new Thread(
            () -> {
              throw fault;
            },
            "of-the-handler");
    thread.start();
    return thread;
  }
}
