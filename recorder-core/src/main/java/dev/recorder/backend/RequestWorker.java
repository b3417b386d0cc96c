package dev.recorder.backend;

import dev.recorder.logging.LogContext;
import dev.recorder.logging.Outage;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.RequestSession;
import dev.recorder.requests.Backoff;
import dev.recorder.requests.Claim;
import dev.recorder.requests.Pass;
import dev.recorder.requests.Verdict;
import dev.recorder.requests.WorkUnit;
import dev.recorder.time.Ticker;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One worker of requests: waits for its turn, goes through the table, works units off one after the
 * other. {@link #run} is its thread; {@link #abort} is for any.
 */
final class RequestWorker implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(RequestWorker.class);

  /** A request that has been begun by so many workers that died is not begun again. */
  static final int MOST_DEATHS = 3;

  /** Attempts on lost sessions that are remembered; each session has one. */
  private static final int MOST_LOST = 100;

  private final Shared shared;
  private final Ticker ticker;
  private final Supplier<RequestSession> sessions;
  private final Deque<Claim.Begun> lost = new ArrayDeque<>();
  private volatile @Nullable RequestSession session;
  private Claim.@Nullable Begun underWay;

  /**
   * What the workers of one recorder have in common.
   *
   * @param suspects which one of the machine's workers may work on a suspect
   * @param database told when it is gone and when it is back
   */
  record Shared(
      String machine,
      BackEndSettings settings,
      Handling handling,
      Turns turns,
      Suspects suspects,
      Outage database,
      Reports reports,
      ScheduledExecutorService timer) {}

  RequestWorker(Shared shared, Ticker ticker, Supplier<RequestSession> sessions) {
    this.shared = shared;
    this.ticker = ticker;
    this.sessions = sessions;
  }

  @Override
  public void run() {
    try (LogContext context =
        LogContext.of(shared.machine(), shared.settings().name().value(), 0)) {
      while (shared.turns().await()) {
        look();
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    } finally {
      abort();
    }
  }

  /** Ends the session, with whatever is under way on it. */
  void abort() {
    RequestSession current = session;
    session = null;
    if (current != null) {
      current.close();
    }
  }

  private void look() throws InterruptedException {
    boolean looking = true;
    boolean idle = false;
    try {
      RequestSession queue = session();
      Pass.End end;
      do {
        Pass pass = new Pass(ticker.nanos());
        while (pass.goesOn() && shared.turns().mayClaim()) {
          looking &= !step(queue, pass, looking);
        }
        end = pass.end();
      } while (shared.turns().ended(end, looking));
      idle = true;
      shared.database().up(this);
    } catch (DatabaseException e) {
      onLoss();
      shared.database().down(this, String.valueOf(e.getMessage()));
    } finally {
      if (!idle) {
        shared.turns().failed(looking); // However it ended: others wait for who looks.
      }
    }
  }

  /** Whether something was claimed. */
  private boolean step(RequestSession queue, Pass pass, boolean looking)
      throws InterruptedException {
    // The first claim of a pass sees the oldest requests, suspects or not; others ask for no
    // permit.
    boolean maySuspect = pass.line() == 0 && shared.suspects().tryAcquire();
    try {
      Claim claim = queue.claim(pass.line(), pass.passedOver(), maySuspect);
      pass.claimed(claim, ticker.nanos());
      if (!(claim instanceof Claim.Begun begun)) {
        return false;
      }
      underWay = begun;
      if (looking) {
        shared.turns().claimed();
      }
      if (maySuspect && !begun.isSuspect()) {
        shared.suspects().release();
        maySuspect = false;
      }
      unit(queue, begun, pass);
      underWay = null;
      return true;
    } finally {
      if (maySuspect) {
        shared.suspects().release();
      }
    }
  }

  private void unit(RequestSession queue, Claim.Begun begun, Pass pass)
      throws InterruptedException {
    Optional<WorkUnit> unit = queue.lock(begun, UUID.randomUUID());
    if (unit.isEmpty()) {
      queue.takeBack(begun);
      pass.passOver(begun.id(), begun.entity());
      return;
    }
    Verdict verdict;
    try {
      verdict = verdict(queue, begun, unit.get());
    } catch (InterruptedException stopping) {
      queue.takeBack(begun);
      underWay = null;
      throw stopping;
    }
    conclude(queue, begun, unit.get(), verdict, pass);
  }

  private Verdict verdict(RequestSession queue, Claim.Begun begun, WorkUnit unit)
      throws InterruptedException {
    if (begun.deaths() >= MOST_DEATHS) {
      return new Verdict.Settled(List.of(), Map.of(begun.id(), givenUp(begun)));
    }
    TimeLimit limit = new TimeLimit(shared.timer(), shared.settings().timeLimit(), queue::abort);
    try (limit) {
      return shared.handling().worker().work(unit, queue);
    } catch (DatabaseException lost) {
      throw lost;
    } catch (RuntimeException bug) {
      log.error("bug: request {} failed in an unforeseen way", begun.id(), bug);
      return new Verdict.Postponed("internal error: " + bug);
    } catch (InterruptedException e) {
      if (limit.isOver()) {
        return new Verdict.Postponed(
            "not done within handler_timeout, " + shared.settings().timeLimit().toMillis() + " ms");
      }
      throw e;
    }
  }

  private static String givenUp(Claim.Begun begun) {
    return "given up: "
        + begun.deaths()
        + " processes died, or were cut off, while they worked on it; its effect may be there";
  }

  private void conclude(
      RequestSession queue, Claim.Begun begun, WorkUnit unit, Verdict verdict, Pass pass) {
    if (verdict instanceof Verdict.Settled settled) {
      queue.settle(begun, unit, settled);
      pass.settled(ticker.nanos());
      shared.reports().errors(unit, settled.failed());
    } else if (verdict instanceof Verdict.Found found) {
      queue.settleFound(begun, unit, found);
      pass.settled(ticker.nanos());
    } else if (verdict instanceof Verdict.Postponed postponed) {
      int errors =
          queue.postpone(
              begun,
              unit,
              postponed.why(),
              Backoff.after(begun.attempts()),
              shared.settings().maxAttempts());
      pass.passOver(begun.id(), begun.entity());
      shared.reports().postponed(unit, postponed.why(), errors);
    }
  }

  private RequestSession session() {
    RequestSession current = session;
    if (current == null) {
      current = sessions.get();
      session = current;
      if (shared.turns().isStopping()) {
        abort(); // The machine closed all sessions while this one was being opened.
      }
      while (!lost.isEmpty()) {
        current.disown(lost.peek());
        lost.remove();
      }
    }
    return current;
  }

  private void onLoss() {
    abort();
    Claim.Begun begun = underWay;
    underWay = null;
    if (begun != null && lost.size() < MOST_LOST) {
      lost.add(begun);
    }
  }
}
