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
 * A sample of the database.
 *
 * @param site the diagnosis, as {@code recorder status} shows it
 * @param hostsWanted the number of hosts that should be able to take each log
 * @param work the numbers of waiting rows and requests, and of locks
 * @param rates rows recorded per second since the last sample, by lockid, if known
 * @param locks the locks that are held or waited for
 */
public record SiteSample(
    Diagnosis site,
    int hostsWanted,
    WorkCounts work,
    Map<Integer, Double> rates,
    LockSample locks) {
  private static final double MILLIS = 1_000;

  public SiteSample {
    rates = Map.copyOf(rates);
  }

  public Facts facts() {
    return site.facts();
  }

  public int alive() {
    return facts().living().size();
  }

  /** Returns the number of living hosts that are standby or active for the recorder. */
  public int able(RecorderFacts recorder) {
    return site.activity(recorder).able().size();
  }

  public boolean isHeld(RecorderFacts recorder) {
    return site.activity(recorder).isHeld();
  }

  /** Whether a living host other than {@code host} is active for this log, or could take it. */
  public boolean isElsewhere(String recorder, String host) {
    return site.activities().stream()
        .filter(each -> each.recorder().name().equals(recorder))
        .flatMap(each -> each.able().stream())
        .anyMatch(other -> !other.name().equals(host));
  }

  /** Whether the active host reports that it makes no progress. */
  public boolean isStuck(RecorderFacts recorder) {
    return facts().living().stream().anyMatch(host -> host.isStuck(recorder));
  }

  /** Returns how long clearing has been blocked; zero if it is not blocked. */
  public Duration clearingWaits(RecorderFacts recorder) {
    return facts().living().stream()
        .filter(host -> host.isActive(recorder))
        .flatMap(host -> host.condition(recorder.name(), About.CLEARING).stream())
        .map(condition -> condition.lasts())
        .findFirst()
        .orElse(Duration.ZERO);
  }

  /** Whether the recorder was ever verified on a schedule. */
  public boolean isVerified(RecorderFacts recorder) {
    return outcome(recorder) != null;
  }

  /** Whether the last scheduled verification found faults. */
  public boolean isFaulty(RecorderFacts recorder) {
    VerificationOutcome outcome = outcome(recorder);
    return outcome != null && !outcome.ok();
  }

  /** Returns the age of the last scheduled verification; null before the first. */
  public @Nullable Duration verifiedAge(RecorderFacts recorder) {
    VerificationOutcome outcome = outcome(recorder);
    return outcome == null ? null : facts().ago(outcome.endedAt());
  }

  /** Returns how long the next verification is overdue; null without a schedule. */
  public @Nullable Duration verifyOverdue(RecorderFacts recorder) {
    LastVerdict last = recorder.verdict();
    return last == null ? null : last.overdue(facts().at());
  }

  private static @Nullable VerificationOutcome outcome(RecorderFacts recorder) {
    LastVerdict last = recorder.verdict();
    return last == null ? null : last.outcome();
  }

  /** Returns the number of different configurations of the living hosts. */
  public long files() {
    return facts().living().stream()
        .map(HostFacts::status)
        .map(status -> status.configHash())
        .distinct()
        .count();
  }

  /** Returns the unfinished logs that are in no living host's file. */
  public Stream<RecorderFacts> leftBehind() {
    return facts().recorders().stream().filter(each -> each.isLog() && facts().isLeftBehind(each));
  }

  /** Returns the number of notes of this kind, without notices. */
  public long notes(Note.NoteKind kind) {
    return site.notes().stream()
        .filter(note -> note.kind() == kind && note.severity() != Note.Severity.NOTICE)
        .count();
  }

  /** Returns the time since the last slot was settled; null before the first. */
  public @Nullable Duration settledAge(RecorderFacts recorder) {
    Instant settled = recorder.status().lastSettledAt();
    return settled == null ? null : facts().ago(settled);
  }

  /** Returns the age of the oldest waiting row or request: zero if none waits, null if unknown. */
  public @Nullable Duration oldestWaits(RecorderFacts recorder) {
    if (recorder.status().backlog() == null) {
      return null;
    }
    Instant oldest = recorder.oldestWaiting();
    return oldest == null ? Duration.ZERO : facts().ago(oldest);
  }

  /** Returns {@link #oldestWaits} in seconds; null if unknown. */
  public @Nullable Double lagSeconds(RecorderFacts recorder) {
    Duration waited = oldestWaits(recorder);
    return waited == null ? null : (Double) (waited.toMillis() / MILLIS);
  }
}
