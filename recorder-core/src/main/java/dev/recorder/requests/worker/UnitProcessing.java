package dev.recorder.requests.worker;

import dev.recorder.logging.LogEvent;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.requests.Claim;
import dev.recorder.requests.RequestType;
import dev.recorder.requests.UnitVerdict;
import dev.recorder.requests.WorkUnit;
import dev.recorder.requests.postgres.RequestSession;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes a unit with the memory it needs and within its time limit; refuses a unit with too many
 * lost attempts. For one worker's thread.
 *
 * @param sessionEnds called, on another thread, when the session is ended because the handler
 *     ignores interrupts
 */
record UnitProcessing(WorkerContext shared, Ticker ticker, Runnable sessionEnds) {
  private static final Logger log = LoggerFactory.getLogger(UnitProcessing.class);

  /** Creates memory for the unit, without a reservation. */
  UnitMemory room(Claim.Begun begun) {
    BackEndSettings settings = shared.settings();
    long document = begun.type() == RequestType.UPDATE ? settings.largestDocument() : 0;
    return new UnitMemory(
        shared.together().memory(), document, settings.effort().patience(), ticker);
  }

  /**
   * Returns the outcome of a unit.
   *
   * @param permit of the thread, perhaps an empty one
   * @throws InterruptedException if the host stops
   */
  UnitVerdict verdict(
      RequestSession queue,
      Claim.Begun begun,
      WorkUnit unit,
      UnitMemory room,
      PoisonPermits.Permit permit)
      throws InterruptedException {
    if (begun.isPoison()) {
      return new UnitVerdict.RequestsSettled(List.of(), Map.of(begun.id(), givenUp(begun)));
    }
    Duration timeLimit = shared.settings().effort().timeLimit();
    Runnable end =
        () -> {
          sessionEnds.run();
          queue.abort();
        };
    TimeLimit limit = new TimeLimit(shared.together().timer(), timeLimit, end, permit);
    try (limit) {
      return shared.handling().worker().work(unit, queue, room);
    } catch (DatabaseException lost) {
      throw lost;
    } catch (RuntimeException bug) {
      log.error(LogEvent.BUG, "bug: request {} failed in an unforeseen way", begun.id(), bug);
      return new UnitVerdict.Postponed("internal error: " + bug);
    } catch (InterruptedException e) {
      if (limit.isOver()) {
        return new UnitVerdict.Postponed(
            "not done within handler_timeout, " + timeLimit.toMillis() + " ms");
      } else if (shared.claimControl().isStopping()) {
        throw e;
      }
      return shared.handling().worker().interruptedByItself(unit, e);
    } finally {
      shared
          .claimControl()
          .dropInterruptUnlessStopping(); // The called code may have left an interrupt behind.
    }
  }

  private static String givenUp(Claim.Begun begun) {
    return "given up: "
        + begun.lostAttempts()
        + " processes died, or were cut off, while they worked on it; its effect may be there";
  }
}
