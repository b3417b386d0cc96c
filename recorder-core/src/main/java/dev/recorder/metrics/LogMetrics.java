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
 * A recorder of a log on one machine: what it is here, and what it has done here since the machine
 * started. Thread-safe.
 */
public final class LogMetrics {
  /** The database gave no clear answer. */
  public static final String DATABASE = "database";

  /** The store gave no clear answer. */
  public static final String STORE = "store";

  /** A write was not started, as the lease had ended. */
  public static final String LEASE = "lease";

  /** The recorder's row names another term: somebody else has taken over. */
  public static final String FENCED = "fenced";

  /** Something contradicts the log; an operator must look. */
  public static final String REFUSED = "refused";

  /** A term failed unforeseen. */
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

  /**
   * A term that is on.
   *
   * @param mayWrite whether a write may be started, as of now
   * @param progressAt when the writer last made progress, on the machine's ticker
   */
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
   * @param reason one of those that were known from the start
   * @param gap for how long nobody was active; null if nobody was before
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

  /** The term is over. */
  public void ended() {
    tenure = null;
  }

  /** The log was found to end with this slot. */
  public void stands(long slot) {
    lastSlot = slot;
  }

  /**
   * A slot was settled that this machine has written.
   *
   * @param ofBytes before compression
   * @param ofObject after it
   */
  public void settled(long slot, int ofRows, long ofBytes, long ofObject) {
    lastSlot = slot;
    slots.increment();
    rows.add(ofRows);
    bytes.add(ofBytes);
    objectBytes.add(ofObject);
  }

  /** A slot was settled that somebody else had written. */
  public void adopted(long slot) {
    lastSlot = slot;
    adopted.increment();
  }

  /** Something went wrong; one of the constants above. */
  public void failed(String kind) {
    errors.add(kind);
  }

  // ---- read by anybody

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

  /** Whether this machine has the term, and its lease lasts. */
  public boolean isActive() {
    TermFigures now = tenure;
    return now != null && now.mayWrite.getAsBoolean();
  }

  /**
   * When the writer last made progress, or had nothing to do, on the machine's ticker; null
   * without.
   */
  public @Nullable Long progressAt() {
    TermFigures now = tenure;
    return now == null ? null : now.progressAt.getAsLong();
  }

  /** Of the last term that this machine had; 0 if it had none. */
  public long epoch() {
    return epoch;
  }

  /** The last settled slot that this machine knows of from its own terms; 0 if none. */
  public long lastSlot() {
    return lastSlot;
  }

  /** The gap before this machine's last term; null if nobody was active before. */
  public @Nullable Duration lastGap() {
    return lastGap;
  }

  /** Slots written and settled here. */
  public long slots() {
    return slots.sum();
  }

  /** Slots settled here that others had written. */
  public long adopted() {
    return adopted.sum();
  }

  /** Rows of the slots written and settled here. */
  public long rows() {
    return rows.sum();
  }

  /** Bytes of these rows as lines, before compression. */
  public long bytes() {
    return bytes.sum();
  }

  /** Bytes of their objects. */
  public long objectBytes() {
    return objectBytes.sum();
  }

  /** Troubles by kind. */
  public CountsByLabel errors() {
    return errors;
  }

  /** This machine's takeovers by reason. */
  public CountsByLabel takeovers() {
    return takeovers;
  }

  /** How long PUTs of slots took that were answered. */
  public Histogram put() {
    return put;
  }

  /** How long settling a slot took in the database, of those that were settled. */
  public Histogram settle() {
    return settle;
  }
}
