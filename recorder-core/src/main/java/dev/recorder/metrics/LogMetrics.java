package dev.recorder.metrics;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The role of a host for a log recorder, and the recorder's counters on this host since its start.
 * Thread-safe.
 */
public final class LogMetrics {
  /** The database gave no clear answer. */
  public static final String DATABASE = "database";

  /** The store gave no clear answer. */
  public static final String STORE = "store";

  /** A write was not started because the lease had ended. */
  public static final String LEASE = "lease";

  /** The recorder's row names another term, as another host has taken over. */
  public static final String FENCED = "fenced";

  /** Database or store contradicts the log; an operator must look. */
  public static final String REFUSED = "refused";

  /** A term failed with an unexpected error. */
  public static final String FAILED = "failed";

  private static final List<String> ERRORS =
      List.of(DATABASE, STORE, LEASE, FENCED, REFUSED, FAILED);

  private final LongAdder slots = new LongAdder();
  private final LongAdder adopted = new LongAdder();
  private final LongAdder rows = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder objectBytes = new LongAdder();
  private final CountsByLabel errors = new CountsByLabel(ERRORS);
  private final CountsByLabel takeovers;
  private final Histogram put = new Histogram(.01, .025, .05, .1, .25, .5, 1., 2.5, 5., 10., 30.);
  private final Histogram settle =
      new Histogram(.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1., 2.5);
  private volatile Supplier<Readiness> readiness = () -> Readiness.unchecked(0);
  private volatile @Nullable TermFigures tenure;
  private volatile long epoch;
  private volatile long lastSlot;
  private volatile @Nullable Duration lastGap;

  /** The current term, with the sources given to {@link #writes}. */
  private record TermFigures(BooleanSupplier mayWrite, LongSupplier progressAt) {}

  LogMetrics(Collection<String> reasons) {
    this.takeovers = new CountsByLabel(reasons);
  }

  // ---- set by the host

  /** Sets the source that says whether this host could take the recorder. */
  public void readiness(Supplier<Readiness> ofRecorder) {
    readiness = ofRecorder;
  }

  /**
   * Notes that a term begins.
   *
   * @param reason one of the reasons given to the constructor
   * @param gap how long no host was active; null if none was active before
   */
  public void tookOver(String reason, long withEpoch, @Nullable Duration gap) {
    takeovers.add(reason);
    epoch = withEpoch;
    if (gap != null) {
      lastGap = gap;
    }
  }

  /**
   * Notes that the writer of the term is about to begin.
   *
   * @param mayWrite whether a write may be started, as of now
   * @param progressAt when the writer last made progress, as nanoseconds of the host's ticker
   */
  public void writes(BooleanSupplier mayWrite, LongSupplier progressAt) {
    tenure = new TermFigures(mayWrite, progressAt);
  }

  public void ended() {
    tenure = null;
  }

  /** Sets the last slot of the log. */
  public void stands(long slot) {
    lastSlot = slot;
  }

  /**
   * Counts a slot that this host has written and settled.
   *
   * @param ofBytes before compression
   * @param ofObject after compression
   */
  public void settled(long slot, int ofRows, long ofBytes, long ofObject) {
    lastSlot = slot;
    slots.increment();
    rows.add(ofRows);
    bytes.add(ofBytes);
    objectBytes.add(ofObject);
  }

  /** Counts a slot that this host has settled and another had written. */
  public void adopted(long slot) {
    lastSlot = slot;
    adopted.increment();
  }

  /** Counts an error; {@code kind} is one of the constants above. */
  public void failed(String kind) {
    errors.add(kind);
  }

  // ---- read on any thread

  public Role role() {
    if (tenure != null) {
      return Role.ACTIVE;
    }
    return readiness().isReady() ? Role.STANDBY : Role.UNABLE;
  }

  /** Returns whether this host could take the recorder. */
  public Readiness readiness() {
    return readiness.get();
  }

  /** Returns whether this host has the term and a valid lease. */
  public boolean isActive() {
    TermFigures now = tenure;
    return now != null && now.mayWrite.getAsBoolean();
  }

  /**
   * Returns when the writer last made progress or had nothing to do, as nanoseconds of the host's
   * ticker; null without a term.
   */
  public @Nullable Long progressAt() {
    TermFigures now = tenure;
    return now == null ? null : now.progressAt.getAsLong();
  }

  /** Returns the epoch of this host's last term; 0 if it had none. */
  public long epoch() {
    return epoch;
  }

  /** Returns the last settled slot known from this host's own terms; 0 if none. */
  public long lastSlot() {
    return lastSlot;
  }

  /**
   * Returns how long no host was active before this host's last term; null if none was active
   * before.
   */
  public @Nullable Duration lastGap() {
    return lastGap;
  }

  /** Returns the number of slots written and settled by this host. */
  public long slots() {
    return slots.sum();
  }

  /** Returns the number of slots that this host settled and others had written. */
  public long adopted() {
    return adopted.sum();
  }

  /** Returns the number of rows in the slots written and settled by this host. */
  public long rows() {
    return rows.sum();
  }

  /** Returns the bytes of these rows as lines, before compression. */
  public long bytes() {
    return bytes.sum();
  }

  /** Returns the bytes of the objects written and settled by this host. */
  public long objectBytes() {
    return objectBytes.sum();
  }

  public CountsByLabel errors() {
    return errors;
  }

  public CountsByLabel takeovers() {
    return takeovers;
  }

  /** Returns the durations of answered PUTs of slots. */
  public Histogram put() {
    return put;
  }

  /** Returns the durations of successful settlements in the database. */
  public Histogram settle() {
    return settle;
  }
}
