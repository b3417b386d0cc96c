package dev.recorder.slotlog;

import java.time.Duration;

/**
 * How long rows that do not fill a slot wait for more rows. They are taken {@code company} after
 * the first read that saw one of them, but not before {@code spacing} has passed since rows were
 * last taken. Rows that fill a slot do not wait.
 *
 * <p>A spacing needs no forecast of the rate of rows. Two slots that are not full are at least the
 * spacing apart, so a day has at most 86,400 s divided by the spacing of them. At a rate that fills
 * no slot within the spacing, a slot has all rows of that time. A row that comes after a pause of
 * that length waits for {@code company} only. No row waits longer, once a read has seen it, than
 * the longer of the two durations.
 *
 * @param company zero if rows are taken as soon as they are seen
 * @param spacing zero if the time of the last slot does not matter
 */
public record LingerRule(Duration company, Duration spacing) {
  /** Rows wait for a second. */
  public static final LingerRule DEFAULT = of(Duration.ofSeconds(1));

  /** At most one slot in ten seconds, or 8,640 a day, apart from full slots. */
  public static final LingerRule AUTO =
      new LingerRule(Duration.ofSeconds(1), Duration.ofSeconds(10));

  public LingerRule {
    if (company.isNegative() || spacing.isNegative()) {
      throw new IllegalArgumentException("a wait of " + company + " and " + spacing);
    }
  }

  /** Returns the rule by which rows wait for {@code linger}, whenever rows were last taken. */
  public static LingerRule of(Duration linger) {
    return new LingerRule(linger, Duration.ZERO);
  }

  /** Returns whether rows wait at all. */
  boolean waits() {
    return !company.isZero() || !spacing.isZero();
  }

  /**
   * Returns when to take rows that do not fill a slot.
   *
   * @param seenAt time of the first read that saw one of these rows
   * @param takenAt time of the earlier read that took the rows before them
   */
  long dueAt(long seenAt, long takenAt) {
    long alone = seenAt + company.toNanos();
    long spaced = takenAt + spacing.toNanos();
    return spaced - alone > 0 ? spaced : alone;
  }
}
