package dev.recorder.operate.orders;

import dev.recorder.logging.Plurals;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a log that is verified on a schedule.
 *
 * @param every how long after one verification the next is due
 * @param since from when on
 * @param outcome of the last one; null before the first
 * @param trouble why none has come to an end since; null if nothing was in its way
 * @param askedBy who has asked for one of the whole log, which has not come yet; null if nobody has
 */
public record LastVerdict(
    Duration every,
    Instant since,
    @Nullable VerificationOutcome outcome,
    @Nullable String trouble,
    @Nullable String askedBy) {
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration HOUR = Duration.ofHours(1);

  /**
   * What a verification has found.
   *
   * @param isWhole whether it began where the log does
   * @param findings the first of its faults
   */
  public record VerificationOutcome(
      boolean ok,
      Slots slots,
      boolean isWhole,
      Instant endedAt,
      String machine,
      long faults,
      List<String> findings) {
    public VerificationOutcome {
      findings = findings.stream().map(Operator::plain).toList();
      machine = Operator.plain(machine);
    }
  }

  /** Slots from the first up to the last of them. */
  public record Slots(long from, long to) {
    @Override
    public String toString() {
      return "slots " + from + " to " + to;
    }
  }

  public LastVerdict {
    trouble = trouble == null ? null : Operator.plain(trouble);
    askedBy = askedBy == null ? null : Operator.plain(askedBy);
  }

  /** By how much the next verdict is late; zero if it is not. */
  public Duration overdue(Instant now) {
    Instant last = outcome == null || outcome.endedAt().isBefore(since) ? since : outcome.endedAt();
    Duration late = Duration.between(last, now).minus(every);
    return late.isNegative() ? Duration.ZERO : late;
  }

  /** Whether it is so late that somebody should look: as late as it is rare, a day at most. */
  public boolean isLate(Instant now) {
    Duration some = every.compareTo(DAY) > 0 ? DAY : every.compareTo(HOUR) < 0 ? HOUR : every;
    return overdue(now).compareTo(some) > 0;
  }

  /** Whether the last one has found faults. */
  public boolean isFailed() {
    return outcome != null && !outcome.ok();
  }

  /** What the last one has found, in a few words. */
  public String summary() {
    if (outcome == null) {
      return "not verified yet";
    }
    return "verified at %s by %s, %s%s: %s"
        .formatted(
            outcome.endedAt().truncatedTo(ChronoUnit.SECONDS),
            outcome.machine(),
            outcome.slots(),
            outcome.isWhole() ? ", the whole log" : ", not the whole log",
            outcome.ok() ? "no faults" : faults(outcome));
  }

  /** How many, and the first of them. */
  public static String faults(VerificationOutcome outcome) {
    return "%s%s"
        .formatted(
            Plurals.of(outcome.faults(), "fault", "faults"),
            outcome.findings().isEmpty() ? "" : ", the first: " + outcome.findings().get(0));
  }
}
