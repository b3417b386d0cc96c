package dev.recorder.app.looks;

import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.operate.diagnosis.Diagnosis;
import dev.recorder.operate.diagnosis.Note;
import dev.recorder.operate.orders.LastVerdict;
import dev.recorder.operate.orders.LastVerdict.VerificationOutcome;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.HostFacts;
import dev.recorder.operate.site.RecorderFacts;
import dev.recorder.operate.site.WorkCounts;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one look at the database has found.
 *
 * @param site what {@code recorder status} would say
 * @param hostsWanted how many should have each log, or be able to take it
 * @param work how much there is to do, and which locks are taken
 * @param rates rows recorded in a second since the look before, by lockid; not of those of which
 *     nobody can tell
 * @param locks that somebody has or waits for
 */
public record SiteLook(
    Diagnosis site, int hostsWanted, WorkCounts work, Map<Integer, Double> rates, SeenLocks locks) {
  private static final double MILLIS = 1_000;

  public SiteLook {
    rates = Map.copyOf(rates);
  }

  public Facts facts() {
    return site.facts();
  }

  public int alive() {
    return facts().living().size();
  }

  /** How many living hosts stand by for the recorder, or have it. */
  public int able(RecorderFacts recorder) {
    return site.activity(recorder).able().size();
  }

  /** Whether a living host has the recorder. */
  public boolean isHeld(RecorderFacts recorder) {
    return site.activity(recorder).isHeld();
  }

  /** Whether another living host than {@code host} has this log, or could take it. */
  public boolean isElsewhere(String recorder, String host) {
    return site.activities().stream()
        .filter(each -> each.recorder().name().equals(recorder))
        .flatMap(each -> each.able().stream())
        .anyMatch(other -> !other.name().equals(host));
  }

  /** Whether the living host that has the recorder states that it makes no progress. */
  public boolean isStuck(RecorderFacts recorder) {
    return facts().living().stream().anyMatch(host -> host.isStuck(recorder));
  }

  /** For how long recorded rows have stayed, waiting for somebody; zero if they need not. */
  public Duration clearingWaits(RecorderFacts recorder) {
    return facts().living().stream()
        .filter(host -> host.isActive(recorder))
        .flatMap(host -> host.condition(recorder.name(), About.CLEARING).stream())
        .map(condition -> condition.lasts())
        .findFirst()
        .orElse(Duration.ZERO);
  }

  /** Whether a verification on a schedule has said something of the recorder. */
  public boolean isVerified(RecorderFacts recorder) {
    return outcome(recorder) != null;
  }

  /** Whether the last of them has found faults. */
  public boolean isFaulty(RecorderFacts recorder) {
    VerificationOutcome outcome = outcome(recorder);
    return outcome != null && !outcome.ok();
  }

  /** Since it ended; null before the first. */
  public @Nullable Duration verifiedAge(RecorderFacts recorder) {
    VerificationOutcome outcome = outcome(recorder);
    return outcome == null ? null : facts().ago(outcome.endedAt());
  }

  /** For how long the next has been due; null if there is no schedule. */
  public @Nullable Duration verifyOverdue(RecorderFacts recorder) {
    LastVerdict last = recorder.verdict();
    return last == null ? null : last.overdue(facts().at());
  }

  private static @Nullable VerificationOutcome outcome(RecorderFacts recorder) {
    LastVerdict last = recorder.verdict();
    return last == null ? null : last.outcome();
  }

  /** How many different files the living hosts have. */
  public long files() {
    return facts().living().stream()
        .map(HostFacts::status)
        .map(status -> status.configHash())
        .distinct()
        .count();
  }

  /** Logs that no living host has in its file, and of which something is left to do. */
  public Stream<RecorderFacts> leftBehind() {
    return facts().recorders().stream().filter(each -> each.isLog() && facts().isLeftBehind(each));
  }

  /** Notes of this kind that somebody should look at. */
  public long notes(Note.NoteKind kind) {
    return site.notes().stream()
        .filter(note -> note.kind() == kind && note.severity() != Note.Severity.NOTICE)
        .count();
  }

  /** Since the recorder's last slot was settled; null before the first. */
  public @Nullable Duration settledAge(RecorderFacts recorder) {
    Instant settled = recorder.status().lastSettledAt();
    return settled == null ? null : facts().ago(settled);
  }

  /**
   * How long the oldest row or request has waited: zero if nothing does, null if nobody can tell.
   */
  public @Nullable Duration oldestWaits(RecorderFacts recorder) {
    if (recorder.status().backlog() == null) {
      return null;
    }
    Instant oldest = recorder.oldestWaiting();
    return oldest == null ? Duration.ZERO : facts().ago(oldest);
  }

  /** The same in seconds; null if nobody can tell. */
  public @Nullable Double lagSeconds(RecorderFacts recorder) {
    Duration waited = oldestWaits(recorder);
    return waited == null ? null : (Double) (waited.toMillis() / MILLIS);
  }
}
