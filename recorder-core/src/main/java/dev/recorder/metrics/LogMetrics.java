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
 * A log recorder on one machine: its role, and its counters since the machine started. Thread-safe.
 */
public final class LogMetrics {
  /** The database gave no clear answer. */
  public static final String DATABASE = "database";

  /** The store gave no clear answer. */
  public static final String STORE = "store";

  /** A write was not started because the lease had ended. */
  public static final String LEASE = "lease";

  /** The recorder's row names another term: another machine has taken over. */
  public static final String FENCED = "fenced";

  /** Something contradicts the log; an operator must look. */
  public static final String REFUSED = "refused";

  /** A term failed in an unforeseen way. */
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

  // ---- told by the machine

  /** Where to read whether the recorder could be taken here. */
  public void readiness(Supplier<Readiness> ofRecorder) {
    readiness = ofRecorder;
  }

  /**
   * A term begins.
   *
   * @param reason one of those given to the constructor
   * @param gap how long no machine was active; null if none was before
   */
  public void tookOver(String reason, long withEpoch, @Nullable Duration gap) {
    takeovers.add(reason);
    epoch = withEpoch;
    if (gap != null) {
      lastGap = gap;
    }
  }

  /**
   * The writer of the term is about to begin.
   *
   * @param mayWrite whether a write may be started, as of now
   * @param progressAt when the writer last made progress, on the machine's ticker
   */
  public void writes(BooleanSupplier mayWrite, LongSupplier progressAt) {
    tenure = new TermFigures(mayWrite, progressAt);
  }

  public void ended() {
    tenure = null;
  }

  /** The last slot of the log is this one. */
  public void stands(long slot) {
    lastSlot = slot;
  }

  /**
   * This machine has written and settled a slot.
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

  /** This machine has settled a slot that another had written. */
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

  /** Whether the recorder could be taken here. */
  public Readiness readiness() {
    return readiness.get();
  }

  /** Whether this machine has the term and a valid lease. */
  public boolean isActive() {
    TermFigures now = tenure;
    return now != null && now.mayWrite.getAsBoolean();
  }

  /**
   * When the writer last made progress or had nothing to do, on the machine's ticker; null without
   * a term.
   */
  public @Nullable Long progressAt() {
    TermFigures now = tenure;
    return now == null ? null : now.progressAt.getAsLong();
  }

  /** The epoch of this machine's last term; 0 if it had none. */
  public long epoch() {
    return epoch;
  }

  /** The last settled slot known from this machine's own terms; 0 if none. */
  public long lastSlot() {
    return lastSlot;
  }

  /** How long no machine was active before this machine's last term; null if none was before. */
  public @Nullable Duration lastGap() {
    return lastGap;
  }

  /** Slots written and settled by this host. */
  public long slots() {
    return slots.sum();
  }

  /** Slots that others had written and this machine settled. */
  public long adopted() {
    return adopted.sum();
  }

  /** Rows of the slots written and settled by this host. */
  public long rows() {
    return rows.sum();
  }

  /** Bytes of these rows as lines, before compression. */
  public long bytes() {
    return bytes.sum();
  }

  /** Bytes of the objects written and settled by this host. */
  public long objectBytes() {
    return objectBytes.sum();
  }

  public CountsByLabel errors() {
    return errors;
  }

  public CountsByLabel takeovers() {
    return takeovers;
  }

  /** Durations of answered PUTs of slots. */
  public Histogram put() {
    return put;
  }

  /** Durations of successful settlements in the database. */
  public Histogram settle() {
    return settle;
  }
}
