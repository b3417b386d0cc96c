package dev.recorder.requests.worker;

import dev.recorder.logging.LogContext;
import dev.recorder.logging.LogEvent;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.requests.Attempt;
import dev.recorder.requests.Backoff;
import dev.recorder.requests.Claim;
import dev.recorder.requests.Prefetched;
import dev.recorder.requests.TablePass;
import dev.recorder.requests.UnitVerdict;
import dev.recorder.requests.WorkUnit;
import dev.recorder.requests.postgres.RequestSession;
import dev.recorder.time.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker: waits for its turn, walks through the table, and processes one unit after the other.
 * {@link #run} is its thread; {@link #abort} is for any.
 */
final class RequestWorker implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(RequestWorker.class);

  private final WorkerContext shared;
  private final Ticker ticker;
  private final UnitProcessing processing;
  private final Supplier<RequestSession> sessions;
  private final List<Attempt> underWay = new ArrayList<>();
  private volatile @Nullable RequestSession session;

  /** Whether this pass may process possible poison messages. */
  private PoisonPermits.Permit permit;

  /** Whether the worker has claimed nothing since it was idle. */
  private boolean looking;

  /** Whether the session was ended because the handler ignores interrupts. */
  private volatile boolean deaf;

  RequestWorker(WorkerContext shared, Ticker ticker, Supplier<RequestSession> sessions) {
    this.shared = shared;
    this.ticker = ticker;
    this.processing = new UnitProcessing(shared, ticker, () -> deaf = true);
    this.sessions = sessions;
    this.permit = shared.together().poisonPermits().none();
  }

  @Override
  public void run() {
    try (LogContext context =
        LogContext.of(shared.together().machine(), shared.settings().name().value(), 0)) {
      while (!shared.claimControl().isStopping()) {
        turn();
      }
    } finally {
      abort();
    }
  }

  /**
   * Takes a turn. An interrupt ends a worker only if the worker should end; any other is a
   * leftover.
   */
  private void turn() {
    try {
      if (shared.claimControl().await()) {
        look();
      }
    } catch (RuntimeException | InterruptedException bug) {
      if (bug instanceof InterruptedException && shared.claimControl().isStopping()) {
        return;
      }
      log.error(LogEvent.BUG, "bug: a worker failed in an unforeseen way, and continues", bug);
      onLoss();
    }
  }

  /** Ends the session, and all work that runs on it. */
  void abort() {
    RequestSession current = session;
    session = null;
    if (current != null) {
      current.close();
    }
  }

  private void look() throws InterruptedException {
    looking = true;
    boolean idle = false;
    try {
      RequestSession queue = session();
      TablePass.End end;
      do {
        end = pass(queue);
      } while (shared.claimControl().ended(end, looking));
      idle = true;
      shared.together().database().up(this);
    } catch (DatabaseException e) {
      onLoss();
      shared.together().database().down(this, String.valueOf(e.getMessage()));
    } finally {
      if (!idle) {
        shared
            .claimControl()
            .failed(looking); // In any case, since other workers wait for the looking one.
      }
    }
  }

  private TablePass.End pass(RequestSession queue) throws InterruptedException {
    shared.orphaned().disown(queue::disown);
    TablePass pass = new TablePass(ticker.nanos());
    while (pass.goesOn() && shared.claimControl().mayClaim()) {
      // The first claim takes the oldest request, a possible poison message or not. The next claims
      // need no permit.
      try (PoisonPermits.Permit permit =
          pass.hasBegun()
              ? shared.together().poisonPermits().none()
              : shared.together().poisonPermits().ask()) {
        this.permit = permit;
        Optional<Claim.Begun> begun = answer(claim(queue, pass, permit.had()), pass);
        while (begun.isPresent()) {
          if (!begun.get().mayBePoison()) {
            permit.close();
          }
          begun = unit(queue, begun.get(), pass);
        }
      }
    }
    return pass.end();
  }

  private Claim claim(RequestSession queue, TablePass pass, boolean poisonToo) {
    UUID process = UUID.randomUUID();
    Optional<Prefetched> prefetched = prefetched(process, pass);
    return prefetched.isPresent()
        ? queue.claim(process, prefetched.get())
        : queue.claim(process, pass.line(), pass.passedOver(), poisonToo);
  }

  /**
   * Returns the row for the next claim, if one is known. Records the claim before it is sent, since
   * its answer may get lost.
   */
  private Optional<Prefetched> prefetched(UUID process, TablePass pass) {
    Optional<Prefetched> prefetched = shared.prefetchQueue().next(pass.line());
    underWay.add(
        prefetched
            .map(row -> Attempt.at(row, process))
            .orElseGet(() -> Attempt.behind(pass.line(), process)));
    return prefetched;
  }

  private Optional<Claim.Begun> answer(Claim claim, TablePass pass) {
    underWay.clear();
    pass.claimed(claim, ticker.nanos());
    if (claim instanceof Claim.Begun begun) {
      underWay.add(Attempt.at(begun));
      if (looking) {
        looking = false;
        shared.claimControl().claimed();
      }
      return Optional.of(begun);
    }
    return Optional.empty();
  }

  /**
   * Processes a unit; returns the next claimed request if it was claimed in the same transaction.
   */
  private Optional<Claim.Begun> unit(RequestSession queue, Claim.Begun begun, TablePass pass)
      throws InterruptedException {
    try (UnitMemory room = processing.room(begun)) {
      Optional<WorkUnit> unit = queue.lock(begun, room);
      UnitVerdict verdict =
          unit.isPresent()
              ? processing.verdict(queue, begun, unit.get(), room, permit)
              : new UnitVerdict.TakenBack();
      if (verdict instanceof UnitVerdict.TakenBack) {
        takeBack(queue, begun);
        pass.passOver(begun.id(), begun.entity());
        shared.reports().givenBack(begun.id(), room);
        return Optional.empty();
      }
      return conclude(queue, begun, unit.orElseThrow(), verdict, pass);
    } catch (InterruptedException leaveOff) {
      takeBack(queue, begun);
      throw leaveOff;
    }
  }

  private void takeBack(RequestSession queue, Claim.Begun begun) {
    if (!queue.takeBack(begun)) {
      shared.orphaned().add(underWay);
    }
    underWay.clear();
  }

  private Optional<Claim.Begun> conclude(
      RequestSession queue, Claim.Begun begun, WorkUnit unit, UnitVerdict verdict, TablePass pass) {
    if (verdict instanceof UnitVerdict.RequestsSettled settled) {
      pass.settled(ticker.nanos());
      if (settled.complete().size() == unit.requests().size()
          && pass.goesOn()
          && shared.claimControl().mayClaim()) {
        return answer(settleAndClaim(queue, begun, unit, pass), pass);
      }
      queue.settle(begun, unit, settled);
      shared.reports().settled(unit, settled);
    } else if (verdict instanceof UnitVerdict.AppliedEarlier found) {
      queue.settleFound(begun, unit, found);
      shared.reports().complete(found.applied().size());
      pass.settled(ticker.nanos());
    } else if (shared.claimControl().isStopping()) {
      takeBack(queue, begun); // A handler may have mistaken the host's stop for a failure.
    } else if (verdict instanceof UnitVerdict.Postponed postponed) {
      int errors =
          queue.postpone(
              begun,
              unit,
              postponed.why(),
              Backoff.after(begun.attempts()),
              shared.settings().effort().maxAttempts());
      pass.passOver(begun.id(), begun.entity());
      shared.reports().postponed(unit, postponed.why(), errors);
    }
    underWay.clear();
    return Optional.empty();
  }

  private Claim settleAndClaim(
      RequestSession queue, Claim.Begun begun, WorkUnit unit, TablePass pass) {
    UUID process = UUID.randomUUID();
    Optional<Prefetched> prefetched = prefetched(process, pass);
    Claim claim =
        prefetched.isPresent()
            ? queue.settleAndClaim(begun, unit, process, prefetched.get())
            : queue.settleAndClaim(begun, unit, process, pass.line(), pass.passedOver());
    shared.reports().complete(unit.requests().size());
    OptionalLong ahead = shared.prefetchQueue().lookFrom(pass.line());
    if (ahead.isPresent()) {
      List<Prefetched> seen = List.of();
      try {
        seen = queue.lookAhead(ahead.getAsLong(), PrefetchQueue.ROWS);
      } finally {
        shared.prefetchQueue().seen(seen);
      }
    }
    return claim;
  }

  private RequestSession session() {
    RequestSession current = session;
    if (current == null) {
      current = sessions.get();
      session = current;
      if (shared.claimControl().isStopping()) {
        abort(); // The host closed all sessions while this session was being opened.
      }
    }
    return current;
  }

  private void onLoss() {
    abort();
    if (!underWay.isEmpty()) {
      shared.reports().lost();
    }
    // A handler that ignores interrupts would do so again and again: its attempt counts as lost.
    if (!deaf) {
      shared.orphaned().lost(underWay);
    }
    deaf = false;
    underWay.clear();
  }
}
