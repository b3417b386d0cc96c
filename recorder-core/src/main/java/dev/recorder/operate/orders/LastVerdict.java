package dev.recorder.operate.orders;

import dev.recorder.logging.Plurals;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last verdict on a log that is verified on a schedule.
 *
 * @param every the interval between verifications
 * @param since when the schedule began
 * @param outcome of the last verification; null before the first
 * @param trouble why no verification has finished since; null if there was no failure
 * @param askedBy the operator who ordered a verification of the whole log that is not finished;
 *     null if there is none
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
   * The outcome of a verification.
   *
   * @param isWhole whether it began at the log's first slot
   * @param findings the first faults
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

  /** Slots from the first to the last, both included. */
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

  /** Returns by how much the next verdict is late; zero if it is not late. */
  public Duration overdue(Instant now) {
    Instant last = outcome == null || outcome.endedAt().isBefore(since) ? since : outcome.endedAt();
    Duration late = Duration.between(last, now).minus(every);
    return late.isNegative() ? Duration.ZERO : late;
  }

  /**
   * Whether the verdict is so late that an operator should look: by more than the interval, but at
   * least an hour and at most a day.
   */
  public boolean isLate(Instant now) {
    Duration some = every.compareTo(DAY) > 0 ? DAY : every.compareTo(HOUR) < 0 ? HOUR : every;
    return overdue(now).compareTo(some) > 0;
  }

  /** Whether the last verification found faults. */
  public boolean isFailed() {
    return outcome != null && !outcome.ok();
  }

  /** Returns the last outcome in a few words. */
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

  /** Returns the number of faults, and the first one. */
  public static String faults(VerificationOutcome outcome) {
    return "%s%s"
        .formatted(
            Plurals.of(outcome.faults(), "fault", "faults"),
            outcome.findings().isEmpty() ? "" : ", the first: " + outcome.findings().get(0));
  }
}
