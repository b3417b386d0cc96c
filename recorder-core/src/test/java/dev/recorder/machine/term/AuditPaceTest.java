package dev.recorder.machine.term;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.audit.objects.UnfinishedException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How hard a verification on a schedule works, and how often it looks for work. */
class AuditPaceTest {

  @Test
  void itRestsForThreeTimesWhatItWorkedAndForAFewSecondsAtMost() {
    assertThat(AuditPace.rest(Duration.ofMillis(20))).isEqualTo(Duration.ofMillis(60));
    assertThat(AuditPace.rest(Duration.ZERO)).isZero();
    assertThat(AuditPace.rest(Duration.ofMinutes(2))).isEqualTo(AuditPace.LONGEST_REST);
  }

  @Test
  void itEndsAtTheNextObjectOrRangeOfPagesWhenItIsNotToGoOn() {
    AuditPace goesOn = new AuditPace(() -> true, () -> 0);
    goesOn.slots(1, 2, 10);
    goesOn.pages(1, 2, 10);
    AuditPace ended = new AuditPace(() -> false, () -> 0);

    assertThatThrownBy(() -> ended.slots(1, 2, 10)).isInstanceOf(UnfinishedException.class);
    assertThatThrownBy(() -> ended.pages(1, 2, 10)).isInstanceOf(UnfinishedException.class);
  }

  @Test
  void itEndsWhenItsThreadIsToEnd() {
    AuditPace pace = new AuditPace(() -> true, () -> 0);
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> pace.slots(1, 2, 10)).isInstanceOf(UnfinishedException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void whatIsVerifiedOnceADayIsLookedAtOnceAMinute() {
    assertThat(AuditPace.lookEvery(Duration.ofDays(1))).isEqualTo(Duration.ofMinutes(1));
    assertThat(AuditPace.lookEvery(Duration.ofMinutes(1))).isEqualTo(Duration.ofSeconds(6));
    assertThat(AuditPace.lookEvery(Duration.ofMillis(10))).isEqualTo(Duration.ofSeconds(1));
  }
}
