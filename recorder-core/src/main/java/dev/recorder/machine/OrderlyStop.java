package dev.recorder.machine;

import dev.recorder.leadership.Coordinator;
import dev.recorder.logging.LogEvent;
import dev.recorder.machine.term.RecorderWorker;
import dev.recorder.requests.worker.BackEnds;
import dev.recorder.time.Ticker;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a host that was told to stop: slots and requests in progress are settled, then the
 * recorders are released. Runs on the thread of {@link MachineLoop#run}.
 */
final class OrderlyStop {
  private static final Logger log = LoggerFactory.getLogger(OrderlyStop.class);

  /** How long the work in progress may take to settle. */
  private static final Duration WITHIN = Duration.ofSeconds(6);

  private final Coordinator coordinator;
  private final RecorderRegistry registry;
  private final BackEnds backEnds;
  private final Ticker ticker;

  OrderlyStop(
      Coordinator coordinator, RecorderRegistry registry, BackEnds backEnds, Ticker ticker) {
    this.coordinator = coordinator;
    this.registry = registry;
    this.backEnds = backEnds;
    this.ticker = ticker;
  }

  /**
   * Stops the work while {@code loop} keeps turning, since peers would end the sessions of a silent
   * host.
   */
  void with(ControlLoop loop) throws InterruptedException {
    log.info(
        LogEvent.STOPPING,
        "stopping: slots and requests under way are settled, then the recorders are released");
    coordinator.stop();
    backEnds.stop();
    registry.workers().forEach(RecorderWorker::stop);
    long deadline = ticker.nanos() + WITHIN.toNanos();
    while ((coordinator.holdsAny() || backEnds.areWorking()) && ticker.nanos() - deadline < 0) {
      loop.turn();
    }
    if (backEnds.areWorking()) {
      log.warn(
          LogEvent.REQUESTS_NOT_DONE,
          "stopping with requests under way that were not done within {} s; they are rolled back",
          WITHIN.toSeconds());
      backEnds.rollBack();
    }
    if (coordinator.holdsAny()) {
      log.warn(
          LogEvent.SLOTS_NOT_SETTLED,
          "stopping with slots under way that did not settle within {} s; the next active host"
              + " finds them",
          WITHIN.toSeconds());
    }
    registry.workers().forEach(worker -> worker.end(worker.epoch(), "stopped"));
  }
}
