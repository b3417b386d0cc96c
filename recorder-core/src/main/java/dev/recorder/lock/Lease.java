package dev.recorder.lock;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * The right to act under a lock until it is closed or lost. Thread-safe.
 *
 * <p>No lock service can stop a process that checks its lease and then sleeps. Where work must
 * never be done twice, the {@link #token()} must also be checked where the work takes effect.
 */
public interface Lease extends AutoCloseable {
  String name();

  /**
   * The fencing token: greater than that of every earlier lease of this name. Send it with each
   * write, and let the receiver refuse a token lower than one it has seen. The token changes only
   * if a lost lock was taken again and no other process can have held it in between. The new token
   * is greater, and the previous one is still greater than those of earlier leases.
   *
   * <p>An advisory lock draws its token on the first call, which costs a round trip, so that
   * callers without need of a token do not pay for it. Other kinds have their token from the start.
   *
   * @throws LeaseLostException if the lease was lost or closed before a token was drawn
   * @throws LockException if no token could be drawn; the lease is still held
   */
  long token();

  /** The state as known to this process; reads only memory. */
  LeaseState state();

  /**
   * Completes when the lease is lost; never if it is closed before. Dependent actions run on the
   * thread that saw the loss, and must be short.
   */
  CompletionStage<Loss> lost();

  /**
   * Returns how long no other holder can get the lock, unless the lock is revoked by force.
   * Measured by this process's monotonic clock from before the last confirmed request was sent.
   * Zero if the lease is lost or released.
   */
  Duration remaining();

  /**
   * Checks the lease; call this before a step that takes up to {@code atLeast}.
   *
   * @throws LeaseLostException if the lease is lost, released, or ends sooner
   */
  void ensure(Duration atLeast);

  /**
   * Marks the work as done. Without this mark, {@link #close()} leaves a {@code mutex} taken, and a
   * {@code task} failed; other kinds ignore the mark.
   */
  void complete();

  /**
   * Releases the lock; a second call has no effect.
   *
   * @throws LeaseLostException if the lease was lost before: another holder may have worked at the
   *     same time
   * @throws LockException if the release could not be sent; its kind then determines how the lock
   *     ends
   */
  @Override
  void close();
}
