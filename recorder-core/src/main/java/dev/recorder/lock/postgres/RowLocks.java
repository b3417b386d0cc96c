package dev.recorder.lock.postgres;

import dev.recorder.lock.ContendedLock;
import dev.recorder.lock.DistributedLock;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.LeaseLife;
import dev.recorder.lock.TrackedLease;
import java.time.Duration;
import java.util.Optional;

/**
 * Row locks of all kinds. A row is taken by one UPDATE, or by one INSERT if it does not exist, with
 * an owner unique to the attempt. The caller that gets the answer has a lease with the row's token;
 * if the answer is lost, the row is given back before the session's next operation.
 */
public record RowLocks(RowSession session, Instruments instruments) {
  /** The longest pause of a waiter; the shortest is half of it. */
  public static final Duration POLL = Duration.ofMillis(100);

  /**
   * Returns the lock of this id.
   *
   * @throws dev.recorder.lock.LockException if the id or queue is invalid
   */
  public DistributedLock lock(String id, RowOptions options, RowKind kind) {
    RowName name = new RowName(options.queue(), id);
    return new ContendedLock(
        name.toString(), limit -> attempt(name, options, kind), POLL, instruments);
  }

  private Optional<TrackedLease> attempt(RowName name, RowOptions options, RowKind kind) {
    RowAcquisition claim = new RowAcquisition(name, session.nextOwner(), options.retriesOrNull());
    Command giveBack = kind.giveBack().apply(claim);
    return granted(claim, kind.take().apply(claim), giveBack, kind)
        .or(() -> granted(claim, kind.create().apply(claim), giveBack, kind));
  }

  private Optional<TrackedLease> granted(
      RowAcquisition claim, Command command, Command giveBack, RowKind kind) {
    long sentAt = instruments.nanos();
    return session
        .ask(
            claim.name().toString(),
            command,
            statement -> statement.first(row -> AcquiredRow.of(claim, row)),
            giveBack)
        .map(ours -> kind.keeping().lease(ours, sentAt));
  }

  public TrackedLease lease(AcquiredRow ours, LeaseLife life, TrackedLease.Releaser release) {
    return new TrackedLease(ours.name().toString(), ours.token(), life, release, instruments);
  }
}
