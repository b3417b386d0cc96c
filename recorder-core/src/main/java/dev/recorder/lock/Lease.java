package dev.recorder.lock;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * The right to act under a lock until it is closed or lost, whichever comes first. Thread-safe.
 *
 * <p>No lock service can stop a process that has just looked at its lease and then sleeps: what
 * must never be done twice also needs the {@link #token()} at the place where it is done.
 */
public interface Lease extends AutoCloseable {
  /** The lock's name. */
  String name();

  /**
   * The fencing token: greater than that of every earlier lease of this name. Send it along with
   * what you write, and let the other side refuse a lesser one than it has seen. It stays the same
   * but where a lock had to be taken again, and nobody can have had it in between: then there is a
   * greater one, and the one before is still ahead of everybody else's.
   *
   * <p>An advisory lock draws it when it is first asked for it, which takes a round trip: callers
   * that need none do not pay for it. Other kinds have it already.
   *
   * @throws LeaseLostException if it was not drawn before the lease was lost or closed
   * @throws LockException if none could be drawn; the lease is ours all the same
   */
  long token();

  /** What is known now; reads no more than memory. */
  LeaseState state();

  /**
   * Completes when the lease is lost; never if it is closed before. What hangs on it runs on the
   * thread that saw the loss, and must be short.
   */
  CompletionStage<Loss> lost();

  /**
   * For how long nobody else can get the lock unless somebody takes it away by force: counted, on
   * this process's monotonic time, from before the request was sent that last confirmed it. Zero if
   * it is lost or released.
   */
  Duration remaining();

  /**
   * To be called before a step that takes up to {@code atLeast}.
   *
   * @throws LeaseLostException if the lease is lost, released, or ends sooner than that
   */
  void ensure(Duration atLeast);

  /**
   * Says that the work was done. A kind whose lock outlives a failure ({@code mutex}, {@code task})
   * is released by {@link #close()} only after this; to others it means nothing.
   */
  void complete();

  /**
   * Lets go of the lock; the second time nothing happens.
   *
   * @throws LeaseLostException if it was lost before: work done under it may not have been alone
   * @throws LockException if the release could not be sent; the lock then ends by itself, as its
   *     kind says
   */
  @Override
  void close();
}
