package dev.recorder.slotlog;

import java.time.Duration;

/**
 * How long rows that do not fill a slot wait for company, counted from the first read that sees one
 * of them: until it has waited for {@code company}, and {@code spacing} has passed since rows were
 * last taken. Rows that fill a slot wait for nothing.
 *
 * <p>With a spacing it needs no guess at how rows will come. Between two slots that are not full
 * lies the spacing, so their number has a bound, 86,400 s by the spacing a day; at any rate that
 * fills none within it a slot gets all that comes in that time; and a row after a pause of that
 * length waits for {@code company} alone. No row that a read sees waits longer than the longer of
 * the two.
 *
 * @param company zero if rows are taken as soon as they are seen
 * @param spacing zero if the last slot does not matter
 */
public record LingerRule(Duration company, Duration spacing) {
  /** A second. */
  public static final LingerRule DEFAULT = of(Duration.ofSeconds(1));

  /** One slot in ten seconds at most, except full ones: 8,640 a day. */
  public static final LingerRule AUTO =
      new LingerRule(Duration.ofSeconds(1), Duration.ofSeconds(10));

  public LingerRule {
    if (company.isNegative() || spacing.isNegative()) {
      throw new IllegalArgumentException("a wait of " + company + " and " + spacing);
    }
  }

  /** Rows wait for this long, whatever came before them. */
  public static LingerRule of(Duration linger) {
    return new LingerRule(linger, Duration.ZERO);
  }

  /** Whether rows wait at all. */
  boolean waits() {
    return !company.isZero() || !spacing.isZero();
  }

  /**
   * When to take rows that do not fill a slot.
   *
   * @param seenAt the first read that saw one of them
   * @param takenAt the read that took those before them, which was earlier
   */
  long dueAt(long seenAt, long takenAt) {
    long alone = seenAt + company.toNanos();
    long spaced = takenAt + spacing.toNanos();
    return spaced - alone > 0 ? spaced : alone;
  }
}
