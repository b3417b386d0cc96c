package dev.recorder.handoff;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * A PostgreSQL snapshot ({@code pg_snapshot}): which transactions had completed at one moment.
 *
 * <p>A transaction is seen when it is below {@code xmax} and not among those in progress. Text form
 * {@code xmin:xmax:xip,xip}, as {@code pg_current_snapshot()} prints it. Immutable.
 */
public final class Snapshot {
  /** A snapshot that sees no transaction of users: 3 is the first xid that PostgreSQL assigns. */
  public static final Snapshot NOTHING = parse("3:3:");

  private final long xmin;
  private final long xmax;
  private final long[] inProgress;

  private Snapshot(long xmin, long xmax, long[] inProgress) {
    this.xmin = xmin;
    this.xmax = xmax;
    this.inProgress = inProgress;
  }

  /** Reads PostgreSQL's text form. */
  public static Snapshot parse(String text) {
    String[] parts = text.split(":", -1);
    if (parts.length != 3) {
      throw new IllegalArgumentException("not a pg_snapshot: '" + text + "'");
    }
    long[] xip =
        parts[2].isEmpty()
            ? new long[0]
            : Arrays.stream(parts[2].split(",")).mapToLong(Long::parseLong).sorted().toArray();
    return new Snapshot(Long.parseLong(parts[0]), Long.parseLong(parts[1]), xip);
  }

  public long xmax() {
    return xmax;
  }

  /** Returns the transactions in progress, ascending, separated by commas. */
  public String inProgressList() {
    return Arrays.stream(inProgress).mapToObj(Long::toString).collect(Collectors.joining(","));
  }

  /** Returns the transactions in progress above {@code xid}, ascending. */
  public LongStream inProgressAbove(long xid) {
    return Arrays.stream(inProgress).filter(running -> running > xid);
  }

  /** Returns whether {@code xid} was in progress. */
  public boolean hasInProgress(long xid) {
    return Arrays.binarySearch(inProgress, xid) >= 0;
  }

  /**
   * Returns whether {@code xid} had completed (committed or aborted) when the snapshot was taken.
   */
  public boolean sees(long xid) {
    return xid < xmax && Arrays.binarySearch(inProgress, xid) < 0;
  }

  /**
   * Returns whether this snapshot sees everything that {@code earlier} sees. A later snapshot of
   * the same history always does. If a later snapshot does not, the database has lost history.
   */
  public boolean covers(Snapshot earlier) {
    return xmax >= earlier.xmax && Arrays.stream(inProgress).noneMatch(earlier::sees);
  }

  /**
   * Returns the first number from {@code xmax} on whose lower 32 bits are {@code lowBits}. It
   * restores a transaction number of which the server tells only the lower bits, if that number is
   * less than 2^32 above {@code xmax}.
   */
  public long firstFrom(int lowBits) {
    return xmax + Integer.toUnsignedLong(lowBits - (int) xmax);
  }

  /**
   * Returns whether this snapshot sees a transaction below {@code bound} that {@code earlier} does
   * not see.
   */
  public boolean seesMoreBelow(long bound, Snapshot earlier) {
    long end = Math.min(bound, xmax);
    long running = Arrays.stream(inProgress).filter(x -> x >= earlier.xmax && x < end).count();
    return end - earlier.xmax > running
        || Arrays.stream(earlier.inProgress).anyMatch(x -> x < bound && sees(x));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Snapshot that
        && xmin == that.xmin
        && xmax == that.xmax
        && Arrays.equals(inProgress, that.inProgress);
  }

  @Override
  public int hashCode() {
    return 31 * Objects.hash(xmin, xmax) + Arrays.hashCode(inProgress);
  }

  @Override
  public String toString() {
    return xmin + ":" + xmax + ":" + inProgressList();
  }
}
