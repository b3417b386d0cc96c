package dev.recorder.requests;

import static dev.recorder.requests.Pass.End.NOTHING_SETTLED;
import static dev.recorder.requests.Pass.End.NOTHING_THERE;
import static dev.recorder.requests.Pass.End.SOMETHING_SETTLED;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When the workers of a recorder look for work. */
class PumpTest {
  private static final long MILLI = Duration.ofMillis(1).toNanos();

  private long now = -5 * MILLI;
  private final Pump pump = new Pump(now);

  @Test
  void isPrimed() {
    assertThat(pump.untilNext(now)).isLessThanOrEqualTo(0);
  }

  @Test
  void oneWorkerLooksAtATime() {
    pump.begun();
    assertThat(pump.untilNext(now)).isPositive();
    now += 10_000 * MILLI;
    assertThat(pump.untilNext(now)).isPositive();
    pump.notified();
    assertThat(pump.untilNext(now)).isPositive();
  }

  @Test
  void whoFindsSomethingSendsTheNext() {
    for (int worker = 0; worker < 10; worker++) {
      assertThat(pump.untilNext(now)).isLessThanOrEqualTo(0);
      pump.begun();
      assertThat(pump.untilNext(now)).isPositive();
      pump.claimed();
    }
  }

  @Test
  void thePauseGrowsFrom25MillisecondsToASecondAndStays() {
    List<Long> pauses = new ArrayList<>();
    for (int look = 0; look < 9; look++) {
      pump.begun();
      now += MILLI;
      assertThat(pump.ended(NOTHING_THERE, true, now)).isFalse();
      pauses.add(pump.untilNext(now) / MILLI);
      now += pump.untilNext(now);
    }
    assertThat(pauses).containsExactly(25L, 50L, 100L, 200L, 400L, 800L, 1000L, 1000L, 1000L);
  }

  @Test
  void aPassThatSettledSomethingIsFollowedByAnother() {
    pump.begun();
    pump.claimed();
    assertThat(pump.ended(SOMETHING_SETTLED, false, now)).isTrue();
  }

  @Test
  void afterWorkThePauseIsShortAgain() {
    lookInVain(10);
    pump.begun();
    pump.claimed();
    assertThat(pump.ended(SOMETHING_SETTLED, false, now)).isTrue();
    assertThat(pump.ended(NOTHING_THERE, false, now)).isFalse();
    assertThat(pump.untilNext(now)).isEqualTo(25 * MILLI);
  }

  @Test
  void aRowThatIsClaimedAndGivenBackAgainAndAgainDoesNotSpin() {
    int looks = 0;
    for (long until = now + 60_000 * MILLI; now < until; now += Math.max(1, pump.untilNext(now))) {
      looks++;
      pump.begun();
      pump.claimed();
      pump.ended(NOTHING_SETTLED, false, now);
    }
    assertThat(looks).isBetween(60, 70);
  }

  @Test
  void aNotificationEndsTheLongPauseAtOnce() {
    lookInVain(10);
    now += 300 * MILLI;
    assertThat(pump.untilNext(now)).isEqualTo(700 * MILLI);
    pump.notified();
    assertThat(pump.untilNext(now)).isLessThanOrEqualTo(0);
  }

  @Test
  void aNotificationWaitsForTheShortestPause() {
    lookInVain(10);
    now += 5 * MILLI;
    pump.notified();
    assertThat(pump.untilNext(now)).isEqualTo(20 * MILLI);
  }

  @Test
  void aNotificationDuringALookIsNotLost() {
    lookInVain(10);
    pump.begun();
    pump.notified();
    now += MILLI;
    pump.ended(NOTHING_THERE, true, now);
    assertThat(pump.untilNext(now)).isEqualTo(25 * MILLI);
  }

  @Test
  void aNotificationBeforeALookIsAnsweredByIt() {
    lookInVain(10);
    pump.notified();
    pump.begun();
    pump.ended(NOTHING_THERE, true, now);
    assertThat(pump.untilNext(now)).isEqualTo(1_000 * MILLI);
  }

  @Test
  void tenThousandNotificationsASecondAgainstABusyEntityMakeFortyLooks() {
    int looks = 0;
    for (int i = 0; i < 10_000; i++) {
      pump.notified();
      if (pump.untilNext(now) <= 0) {
        looks++;
        pump.begun();
        pump.ended(NOTHING_SETTLED, true, now);
      }
      now += MILLI / 10;
    }
    assertThat(looks).isEqualTo(40);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whoStopsWorkingOrFailsAtItPutsNobodysLookOff(boolean fails) {
    lookInVain(10);
    for (int i = 0; i < 9; i++) {
      now += 100 * MILLI;
      if (fails) {
        pump.failed(false, now);
      } else {
        pump.ended(NOTHING_SETTLED, false, now);
      }
    }
    now += 100 * MILLI;
    assertThat(pump.untilNext(now)).isLessThanOrEqualTo(0);
  }

  @Test
  void whoStopsWorkingDoesNotLookAgainBeforeTheShortestPause() {
    pump.begun();
    pump.claimed();
    now += 5_000 * MILLI;
    pump.ended(NOTHING_SETTLED, false, now);
    assertThat(pump.untilNext(now)).isEqualTo(25 * MILLI);
  }

  @Test
  void aWorkerThatEndsLeavesTheLookOfAnotherAlone() {
    pump.begun();
    pump.claimed();
    pump.begun();
    pump.ended(NOTHING_THERE, false, now);
    now += 100 * MILLI;
    assertThat(pump.untilNext(now)).isPositive();
    pump.failed(false, now);
    now += 2_000 * MILLI;
    assertThat(pump.untilNext(now)).isPositive();
  }

  @Test
  void whileTheDatabaseIsGoneItIsTriedOnceASecondWhateverTheNumberOfWorkers() {
    int looks = 0;
    for (int worker = 0; worker < 64; worker++) {
      pump.begun();
      pump.claimed();
    }
    for (int worker = 0; worker < 64; worker++) {
      pump.failed(false, now);
    }
    for (long until = now + 10_000 * MILLI; now < until; now += MILLI) {
      if (pump.untilNext(now) <= 0) {
        looks++;
        pump.begun();
        pump.failed(true, now);
      }
    }
    assertThat(looks).isBetween(9, 11);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void workIsBegunWithinASecondAndALookWhateverHappensMeanwhile(long seed) {
    PumpDrive drive = new PumpDrive(seed, 1 + (int) seed * 2);
    drive.run(Duration.ofMinutes(30));
    assertThat(drive.begun()).isGreaterThan(1_000);
    assertThat(drive.longestWait())
        .isLessThanOrEqualTo(Pump.LONGEST_PAUSE.plus(PumpDrive.LONGEST_LOOK));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 64})
  void idleWorkersLookOnceASecondWhateverTheirNumber(int workers) {
    PumpDrive drive = new PumpDrive(1, workers);
    drive.run(Duration.ofMinutes(1));
    drive.quieten();
    drive.run(Duration.ofMinutes(5));
    int before = drive.looks();
    drive.run(Duration.ofSeconds(100));
    assertThat(drive.looks() - before).isBetween(90, 101);
  }

  private void lookInVain(int times) {
    for (int i = 0; i < times; i++) {
      pump.begun();
      pump.ended(NOTHING_THERE, true, now);
      now += i < times - 1 ? pump.untilNext(now) : 0;
    }
  }
}
