package dev.recorder.requests.worker;

import dev.recorder.logging.LogEvent;
import dev.recorder.metrics.RequestMetrics;
import dev.recorder.requests.UnitVerdict;
import dev.recorder.requests.WorkUnit;
import dev.recorder.time.Ticker;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts the outcomes of units, and logs failures for operators. Thread-safe. */
final class UnitReports {
  private static final Logger log = LoggerFactory.getLogger(UnitReports.class);

  private final RequestMetrics metrics;
  private final ThrottledWarning errors;
  private final ThrottledWarning postponed;
  private final ThrottledWarning givenBack;

  UnitReports(RequestMetrics metrics, Ticker ticker) {
    this.metrics = metrics;
    this.errors = new ThrottledWarning(log, LogEvent.REQUESTS_FAILED, ticker);
    this.postponed = new ThrottledWarning(log, LogEvent.REQUESTS_POSTPONED, ticker);
    this.givenBack = new ThrottledWarning(log, LogEvent.REQUESTS_GIVEN_BACK, ticker);
  }

  void complete(int requests) {
    metrics.settled(requests, 0);
  }

  void settled(WorkUnit unit, UnitVerdict.RequestsSettled settled) {
    Map<Long, String> failed = settled.failed();
    metrics.settled(settled.complete().size(), failed.size());
    log.debug(
        LogEvent.UNIT_SETTLED,
        "{}: a unit with first id {} is settled, {} of its requests complete, {} failed",
        unit.recorder(),
        unit.ids().get(0),
        settled.complete().size(),
        failed.size());
    failed.entrySet().stream()
        .findFirst()
        .ifPresent(first -> error(unit, first.getKey(), first.getValue(), failed.size()));
  }

  /** Notes that a unit was postponed, and {@code errors} of its requests became errors. */
  void postponed(WorkUnit unit, String why, int errors) {
    metrics.retried(errors);
    if (errors > 0) {
      error(unit, unit.ids().get(0), why, errors);
    } else {
      postponed.warn(
          1, "request " + unit.ids().get(0) + " could not be processed, trying again: " + why);
    }
  }

  /** Notes that a unit was taken back, perhaps for lack of memory. */
  void givenBack(long id, UnitMemory room) {
    metrics.givenBack();
    if (room.lacked() > 0) {
      givenBack.warn(
          1,
          ("request %d was given back, and is tried again: no memory was free for it; it takes %d"
                  + " MiB of the %d MiB that this process has for rows; start every host with a"
                  + " larger heap (JAVA_OPTS=-Xmx...), or lower workers")
              .formatted(id, mebibytes(room.lacked()), mebibytes(room.shared())));
    }
  }

  /** Notes that the outcome of a unit is unknown, since the session was lost. */
  void lost() {
    metrics.lost();
  }

  private static long mebibytes(long bytes) {
    return (bytes + (1 << 20) - 1) >> 20;
  }

  private void error(WorkUnit unit, long id, String why, int times) {
    errors.warn(
        times,
        "request %d has become an error, 'recorder requests list %s --status error' lists all: %s"
            .formatted(id, unit.recorder(), why));
  }
}
