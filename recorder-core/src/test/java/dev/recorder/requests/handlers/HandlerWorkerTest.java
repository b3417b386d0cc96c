package dev.recorder.requests.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.recorder.requests.Outcome;
import dev.recorder.requests.RequestHandler;
import dev.recorder.requests.TestRoom;
import dev.recorder.requests.UnitVerdict;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class HandlerWorkerTest {
  private final Logger logger = (Logger) LoggerFactory.getLogger(HandlerWorker.class);
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
  void aUnitThatIsDoneIsDoneForEachOfItsRequests() throws Exception {
    assertThat(verdict(unit -> new Outcome.Complete()))
        .isEqualTo(new UnitVerdict.RequestsSettled(List.of(3L, 5L), Map.of()));
  }

  @Test
  void aUnitThatFailedFailedForEachOfItsRequests() throws Exception {
    assertThat(verdict(unit -> new Outcome.Failed("no such customer")))
        .isEqualTo(
            new UnitVerdict.RequestsSettled(
                List.of(), Map.of(3L, "no such customer", 5L, "no such customer")));
  }

  @Test
  void aUnitToBeTriedAgainIsPostponed() throws Exception {
    assertThat(verdict(unit -> new Outcome.Retry("busy")))
        .isEqualTo(new UnitVerdict.Postponed("busy"));
  }

  @Test
  void reasonsAreFitForTheTable() throws Exception {
    assertThat(verdict(unit -> new Outcome.Failed("a\u0000b\uD800")))
        .isEqualTo(new UnitVerdict.RequestsSettled(List.of(), Map.of(3L, "a b", 5L, "a b")));
    assertThat(verdict(unit -> new Outcome.Retry("x".repeat(4_001))))
        .isEqualTo(new UnitVerdict.Postponed("x".repeat(4_000)));
  }

  /** Even its message is the user's code. */
  private static final class Nasty extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new NoClassDefFoundError("com/example/Words");
    }

    @Override
    public StackTraceElement[] getStackTrace() {
      throw new StackOverflowError();
    }
  }

  @Test
  void anExceptionThatThrowsWhenItIsAskedForItsMessagePostponesToo() throws Exception {
    assertThat(
            verdict(
                unit -> {
                  throw new Nasty();
                }))
        .isEqualTo(
            new UnitVerdict.Postponed(Nasty.class.getName() + ", whose message cannot be read"));
    assertThat(logged.list).hasSize(1);
  }

  @Test
  void anExceptionPostponesAndIsNamedWithoutItsTrace() throws Exception {
    assertThat(verdict(HandlerWorkerTest::broken))
        .isEqualTo(new UnitVerdict.Postponed("java.lang.IllegalStateException: broken pipe"));
    assertThat(
            verdict(
                unit -> {
                  throw new NoClassDefFoundError("com/example/Missing");
                }))
        .isEqualTo(
            new UnitVerdict.Postponed("java.lang.NoClassDefFoundError: com/example/Missing"));
    assertThat(
            verdict(
                unit -> {
                  throw new OutOfMemoryError("unable to create native thread");
                }))
        .isEqualTo(
            new UnitVerdict.Postponed(
                "java.lang.OutOfMemoryError: unable to create native thread"));
  }

  @Test
  @SuppressWarnings("NullAway") // What a handler in some other language may do.
  void noOutcomeAtAllIsAnException() throws Exception {
    assertThat(verdict(unit -> null))
        .isEqualTo(new UnitVerdict.Postponed("java.lang.NullPointerException: no outcome"));
  }

  /** Only they know whether it is a stop, or that of the time limit. */
  @Test
  void anInterruptGoesToThoseWhoMayHaveCausedIt() {
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(
            () ->
                verdict(
                    unit -> {
                      throw new InterruptedException("stopping");
                    }));
    assertThat(logged.list).isEmpty();
  }

  @Test
  void oneThatTheyHaveNotCausedIsAFaultLikeAnyOtherInPlainWords() {
    HandlerWorker worker = new HandlerWorker(unit -> new Outcome.Complete());
    InterruptedException own = new InterruptedException("of its own");
    String words =
        "the handler was interrupted by itself, not by its time limit nor by a stop of this host";

    assertThat(worker.interruptedByItself(Units.updates(3, 5), own))
        .isEqualTo(
            new UnitVerdict.Postponed(words + ": java.lang.InterruptedException: of its own"));
    worker.interruptedByItself(Units.updates(7), own);

    assertThat(logged.list).hasSize(1);
    ILoggingEvent event = logged.list.get(0);
    assertThat(event.getLevel()).isEqualTo(Level.WARN);
    assertThat(event.getFormattedMessage())
        .startsWith("the handler of recorder customers failed in an unforeseen way");
    assertThat(event.getThrowableProxy().getMessage()).isEqualTo(words);
    assertThat(event.getThrowableProxy().getCause().getMessage()).isEqualTo("of its own");
  }

  @Test
  void aFaultIsLoggedWithItsTraceOnceHoweverOftenItIsTried() throws Exception {
    HandlerWorker worker = new HandlerWorker(HandlerWorkerTest::broken);

    for (int attempt = 0; attempt < 3; attempt++) {
      worker.work(Units.updates(3, 5), (entity, ids) -> Map.of(), TestRoom.AMPLE);
    }

    assertThat(logged.list).hasSize(1);
    ILoggingEvent event = logged.list.get(0);
    assertThat(event.getLevel()).isEqualTo(Level.WARN);
    assertThat(event.getFormattedMessage())
        .isEqualTo(
            "the handler of recorder customers failed in an unforeseen way with 2 requests of an"
                + " entity, first id 3; they are tried again, and this fault is not logged again");
    assertThat(event.getThrowableProxy().getMessage()).isEqualTo("broken\tpipe");
    assertThat(event.getThrowableProxy().getStackTraceElementProxyArray()).isNotEmpty();
  }

  @Test
  void faultsOfTwoKindsAreBothLogged() throws Exception {
    AtomicInteger count = new AtomicInteger();
    HandlerWorker worker =
        new HandlerWorker(
            unit -> {
              if (count.incrementAndGet() % 2 == 0) {
                throw new IllegalArgumentException("even");
              }
              return broken(unit);
            });

    for (int attempt = 0; attempt < 4; attempt++) {
      worker.work(Units.updates(3), (entity, ids) -> Map.of(), TestRoom.AMPLE);
    }

    assertThat(logged.list).hasSize(2);
  }

  @Test
  void outcomesAreNotLogged() throws Exception {
    verdict(unit -> new Outcome.Retry("busy"));
    verdict(unit -> new Outcome.Failed("no"));

    assertThat(logged.list).isEmpty();
  }

  private static Outcome broken(Object unit) {
    throw new IllegalStateException("broken\tpipe");
  }

  private static UnitVerdict verdict(RequestHandler handler) throws InterruptedException {
    return new HandlerWorker(handler)
        .work(Units.updates(3, 5), (entity, ids) -> Map.of(), TestRoom.AMPLE);
  }
}
