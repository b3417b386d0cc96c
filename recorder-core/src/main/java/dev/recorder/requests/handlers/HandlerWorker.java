package dev.recorder.requests.handlers;

import dev.recorder.logging.LogEvent;
import dev.recorder.logging.Plurals;
import dev.recorder.requests.MemoryReservation;
import dev.recorder.requests.Outcome;
import dev.recorder.requests.RequestHandler;
import dev.recorder.requests.UnitVerdict;
import dev.recorder.requests.UnitWorker;
import dev.recorder.requests.WorkUnit;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adapts a handler to a worker: its outcome applies to each request of the unit. It is as
 * thread-safe as the handler.
 *
 * <p>An exception or error is a fault of the handler, and often recurs. It must not end the host;
 * otherwise one request could end all hosts in turn. The requests get its class and message. For
 * the handler's author, the log has the first failure of each kind with its stack trace, and no
 * repetitions.
 */
public final class HandlerWorker implements UnitWorker {
  private static final Logger log = LoggerFactory.getLogger(HandlerWorker.class);
  private static final int MOST_CHARACTERS = 4_000;
  private static final String BY_ITSELF =
      "the handler was interrupted by itself, not by its time limit nor by a stop of this host";

  /** Limits how many kinds of failure are logged. */
  private static final int MOST_KINDS = 50;

  private final RequestHandler handler;
  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  public HandlerWorker(RequestHandler handler) {
    this.handler = handler;
  }

  @Override
  public UnitVerdict work(WorkUnit unit, Statuses statuses, MemoryReservation room)
      throws InterruptedException {
    try {
      return verdict(unit, Objects.requireNonNull(handler.handle(unit), "no outcome"));
    } catch (InterruptedException ending) {
      throw ending; // The caller decides whether it is an interrupt, by interruptedByItself.
    } catch (Throwable fault) {
      report(unit, HandlerFault.kind(fault), HandlerFault.forTheLog(fault));
      return new UnitVerdict.Postponed(harmless(HandlerFault.words(fault)));
    }
  }

  @Override
  public UnitVerdict interruptedByItself(WorkUnit unit, InterruptedException fault) {
    Throwable inPlainWords = new IllegalStateException(BY_ITSELF, HandlerFault.forTheLog(fault));
    report(unit, HandlerFault.kind(fault), inPlainWords);
    return new UnitVerdict.Postponed(harmless(BY_ITSELF + ": " + HandlerFault.words(fault)));
  }

  private static UnitVerdict verdict(WorkUnit unit, Outcome outcome) {
    if (outcome instanceof Outcome.Failed failed) {
      return UnitVerdict.RequestsSettled.allFailed(unit, harmless(failed.why()));
    }
    if (outcome instanceof Outcome.Retry retry) {
      return new UnitVerdict.Postponed(harmless(retry.why()));
    }
    return UnitVerdict.RequestsSettled.allComplete(unit);
  }

  private static String harmless(String why) {
    return PlainText.head(String.valueOf(why), MOST_CHARACTERS);
  }

  private void report(WorkUnit unit, String kind, Throwable fault) {
    if (logged.size() < MOST_KINDS && logged.add(kind)) {
      log.warn(
          LogEvent.HANDLER_FAILED,
          "the handler of recorder {} failed in an unforeseen way with {} {} of an entity,"
              + " first id {}; they are tried again, and this fault is not logged again",
          unit.recorder(),
          unit.requests().size(),
          Plurals.word(unit.requests().size(), "request", "requests"),
          unit.ids().get(0),
          fault);
    }
  }
}
