package dev.recorder.operate.diagnosis;

import static dev.recorder.operate.diagnosis.Seen.NOW;
import static dev.recorder.operate.diagnosis.Seen.calm;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.operate.diagnosis.Note.NoteKind;
import dev.recorder.operate.diagnosis.Note.Severity;
import dev.recorder.operate.orders.LastVerdict;
import dev.recorder.operate.orders.LastVerdict.Slots;
import dev.recorder.operate.orders.LastVerdict.VerificationOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is said of a log that is verified once a day. */
class LastVerdictTest {
  private static final Duration DAY = Duration.ofDays(1);

  private static LastVerdict verdict(
      @Nullable VerificationOutcome outcome, @Nullable String trouble) {
    return new LastVerdict(DAY, NOW.minus(Duration.ofDays(9)), outcome, trouble, null);
  }

  private static VerificationOutcome endedAgo(Duration age, String... findings) {
    Instant ended = NOW.minus(age);
    List<String> all = List.of(findings);
    return new VerificationOutcome(
        all.isEmpty(), new Slots(7, 40), false, ended, "host-b", all.size(), all);
  }

  @Test
  void aVerdictWithoutFaultsThatIsNotLateCallsForNoNote() {
    LastVerdict last = verdict(endedAgo(Duration.ofHours(3)), null);

    assertThat(calm().verified(last).notes()).isEmpty();
    assertThat(last.summary())
        .isEqualTo(
            "verified at 2026-11-23T09:00:00Z by host-b, slots 7 to 40, not the whole"
                + " log: no faults");
  }

  @Test
  void faultsAreCriticalHoweverOldTheVerdictIs() {
    LastVerdict last = verdict(endedAgo(Duration.ofHours(3), "slot 9\nis missing", "more"), null);

    assertThat(calm().verified(last).notes())
        .containsExactly(
            new Note(
                Severity.CRITICAL,
                NoteKind.VERIFY_FAILED,
                "orders",
                "",
                "verified 3 h ago, slots 7 to 40: 2 faults, the first: slot 9?is missing"));
  }

  @Test
  void oneThatIsADayLateIsAWarningThatSaysWhatWasInItsWay() {
    assertThat(calm().verified(verdict(endedAgo(DAY.multipliedBy(2)), "S3 hangs")).notes())
        .isEmpty();
    assertThat(
            calm()
                .verified(verdict(endedAgo(DAY.multipliedBy(2).plusSeconds(60)), "S3 hangs"))
                .notes())
        .containsExactly(
            new Note(
                Severity.WARNING,
                NoteKind.VERIFY_LATE,
                "orders",
                "",
                "its verification has been due for 24 h: S3 hangs"));
  }

  @Test
  void oneThatNeverCameIsLateFromWhenItWasAskedFor() {
    LastVerdict never = verdict(null, null);

    assertThat(never.overdue(NOW)).isEqualTo(Duration.ofDays(8));
    assertThat(never.summary()).isEqualTo("not verified yet");
    assertThat(calm().verified(never).notes())
        .extracting(Note::kind)
        .contains(NoteKind.VERIFY_LATE);
  }

  @Test
  void whatWasVerifiedBeforeTheScheduleBeganDoesNotMakeTheNextLate() {
    LastVerdict again =
        new LastVerdict(DAY, NOW.minusSeconds(60), endedAgo(Duration.ofDays(300)), null, null);

    assertThat(again.overdue(NOW)).isZero();
  }

  @Test
  void itIsAmongTheEvidence() {
    LastVerdict last = verdict(endedAgo(Duration.ofHours(3)), null);
    Seen seen = calm().verified(last);

    assertThat(
            Explanation.of(
                    Diagnosis.of(seen.facts(), Seen.LIMITS), seen.orders(), "a", Optional.empty())
                .evidence())
        .contains(last.summary());
  }
}
