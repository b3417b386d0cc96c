package dev.recorder.lock;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The {@link Lease} of all kinds. The kind that granted it confirms, doubts and ends it from its
 * own threads, and calls {@link #look()} when it may have run out, so that a loss is signalled to a
 * holder who does not ask.
 */
public final class TrackedLease implements Lease {
  /** How a kind lets go of a lock. */
  @FunctionalInterface
  public interface Releaser {
    /**
     * Gives the lock back if it is still ours. Called at most once, for a lease that is not known
     * to be lost.
     *
     * @param completed whether the holder said that the work was done
     * @return how it had been lost, or null if it had not
     * @throws LockException if that could not be done
     */
    @Nullable Loss release(TrackedLease lease, boolean completed);
  }

  /** Where a kind has its tokens from. */
  @FunctionalInterface
  public interface TokenSource {
    /**
     * The token of a lease that has none yet; it is the lease's when it comes. Several threads may
     * call at once, also one that hears of a loss, so the source makes sure that one of them draws
     * and the others have {@link TrackedLease#tokenOr its token}.
     *
     * @throws LeaseLostException if the lease is no longer ours
     * @throws LockException if none could be drawn
     */
    long draw(TrackedLease lease);
  }

  private final String name;
  private final TokenSource tokens;
  private final Releaser release;
  private final Instruments instruments;
  private final long since;
  private final CompletableFuture<Loss> lost = new CompletableFuture<>();
  private final AtomicBoolean closed = new AtomicBoolean();

  // Guarded by closed; may be read without.
  private volatile LeaseLife life;

  private volatile boolean completed;
  private volatile @Nullable Long token;

  /** A lease that has its token. */
  public TrackedLease(
      String name, long token, LeaseLife life, Releaser release, Instruments instruments) {
    this(name, lease -> token, life, release, instruments);
  }

  /** A lease that draws its token when it is first asked for it. */
  public TrackedLease(
      String name, TokenSource tokens, LeaseLife life, Releaser release, Instruments instruments) {
    this.name = name;
    this.tokens = tokens;
    this.release = release;
    this.instruments = instruments;
    this.since = instruments.nanos();
    this.life = life;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long token() {
    Long known = token;
    return known != null ? known : tokens.draw(this);
  }

  /**
   * The token that it has, or else gets from {@code next}; for a source, on one thread at a time.
   */
  public long tokenOr(LongSupplier next) {
    Long known = token;
    if (known == null) {
      long drawn = next.getAsLong();
      known = token; // A listener may have asked meanwhile, on this thread.
      if (known == null) {
        known = drawn;
        token = known;
      }
    }
    return known;
  }

  @Override
  public LeaseState state() {
    return look().state();
  }

  @Override
  public CompletionStage<Loss> lost() {
    return lost.minimalCompletionStage();
  }

  @Override
  public Duration remaining() {
    return look().remaining(instruments.nanos());
  }

  @Override
  public void ensure(Duration atLeast) {
    LeaseLife now = look();
    Duration remaining = now.remaining(instruments.nanos());
    if (remaining.isZero() || remaining.compareTo(atLeast) < 0) {
      throw new LeaseLostException(
          name,
          switch (now.state()) {
            case LOST -> lossOf(now).toString();
            case RELEASED -> "it has been released";
            case HELD, IN_DOUBT ->
                "it ends in "
                    + remaining.toMillis()
                    + " ms unless it is confirmed, and "
                    + atLeast.toMillis()
                    + " ms are needed";
          });
    }
  }

  @Override
  public void complete() {
    completed = true;
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    LeaseLife after = change(now -> now.released(instruments.nanos()));
    if (after.state() == LeaseState.LOST) {
      throw new LeaseLostException(name, lossOf(after).toString());
    }
    Loss found = release.release(this, completed);
    if (found != null) {
      instruments.tell(to -> to.lost(name, found));
      throw new LeaseLostException(name, found.toString());
    }
    instruments.tell(to -> to.released(name, held()));
  }

  private Duration held() {
    return Duration.ofNanos(instruments.nanos() - since);
  }

  /** Takes note of the time, and signals a loss that it brought. */
  public LeaseLife look() {
    return change(now -> now.at(instruments.nanos()));
  }

  /** A request sent at {@code sentAt} showed that it is still ours. */
  public void confirm(long sentAt, Duration validity) {
    change(now -> now.confirmed(sentAt, validity, instruments.nanos()));
  }

  /** Its lock had to be taken again, while nobody else had it: a later grant has a later token. */
  public void renewToken(long later) {
    token = later;
  }

  /** A confirmation failed or is overdue. */
  public void doubt() {
    change(now -> now.doubted(instruments.nanos()));
  }

  /** It was seen to be gone. */
  public void end(Loss loss) {
    change(now -> now.ended(loss));
  }

  private LeaseLife change(UnaryOperator<LeaseLife> change) {
    LeaseState before;
    LeaseLife after;
    synchronized (closed) {
      before = life.state();
      after = change.apply(life);
      life = after;
    }
    tell(before, after);
    return after;
  }

  private void tell(LeaseState before, LeaseLife after) {
    if (before == after.state()) {
      return;
    }
    switch (after.state()) {
      case HELD -> instruments.tell(to -> to.confirmed(name));
      case IN_DOUBT ->
          instruments.tell(to -> to.inDoubt(name, after.remaining(instruments.nanos())));
      case LOST -> signal(lossOf(after));
      case RELEASED -> {}
    }
  }

  private void signal(Loss loss) {
    instruments.tell(to -> to.lost(name, loss));
    lost.complete(loss);
  }

  private static Loss lossOf(LeaseLife lost) {
    return Objects.requireNonNull(lost.loss());
  }
}
