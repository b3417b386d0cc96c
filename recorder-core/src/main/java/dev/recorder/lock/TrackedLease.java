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
 * The {@link Lease} of all kinds of locks. The kind that granted it confirms, doubts and ends it
 * from its own threads. It also calls {@link #look()} when the lease may have run out, so that a
 * passive holder learns of the loss.
 */
public final class TrackedLease implements Lease {
  /** Releases a lock of a kind. */
  @FunctionalInterface
  public interface Releaser {
    /**
     * Releases the lock if it is still held. Called at most once, for a lease that is not known to
     * be lost.
     *
     * @param completed whether the holder marked the work as done
     * @return how the lease was lost, or null if it was not
     * @throws LockException if the release failed
     */
    @Nullable Loss release(TrackedLease lease, boolean completed);
  }

  /** Supplies the tokens of a kind. */
  @FunctionalInterface
  public interface TokenSource {
    /**
     * Draws the token of a lease that has none yet. Several threads may call at the same time, even
     * a listener of the lease's loss. The source must let one thread draw, and give the others
     * {@link TrackedLease#tokenOr its token}.
     *
     * @throws LeaseLostException if the lease is lost
     * @throws LockException if no token could be drawn
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

  public TrackedLease(
      String name, long token, LeaseLife life, Releaser release, Instruments instruments) {
    this(name, lease -> token, life, release, instruments);
  }

  /** Creates a lease that draws its token on the first request. */
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

  /** Returns the known token, else one from {@code next}; called by one thread at a time. */
  public long tokenOr(LongSupplier next) {
    Long known = token;
    if (known == null) {
      long drawn = next.getAsLong();
      known = token; // A listener may meanwhile have drawn the token, on this thread.
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

  /** Applies the current time, and signals a loss that results. */
  public LeaseLife look() {
    return change(now -> now.at(instruments.nanos()));
  }

  /** Notes that a request sent at {@code sentAt} showed that the lock is still held. */
  public void confirm(long sentAt, Duration validity) {
    change(now -> now.confirmed(sentAt, validity, instruments.nanos()));
  }

  /** Notes that the lock was taken again with a later token, while no other holder had it. */
  public void renewToken(long later) {
    token = later;
  }

  /** Notes that a confirmation failed or is overdue. */
  public void doubt() {
    change(now -> now.doubted(instruments.nanos()));
  }

  /** Notes that the lock was seen to be lost. */
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
