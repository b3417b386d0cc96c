package dev.recorder.requests;

import static dev.recorder.requests.TablePass.End.NOTHING_SETTLED;
import static dev.recorder.requests.TablePass.End.NOTHING_THERE;
import static dev.recorder.requests.TablePass.End.SOMETHING_SETTLED;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When the workers of a recorder look for work. */
class WorkerSchedulerTest {
  private static final long MILLI = Duration.ofMillis(1).toNanos();

  private long now = -5 * MILLI;
  private final WorkerScheduler scheduler = new WorkerScheduler(now);

  @Test
  void isPrimed() {
    assertThat(scheduler.untilNext(now)).isLessThanOrEqualTo(0);
  }

  @Test
  void oneWorkerLooksAtATime() {
    scheduler.begun(now);
    assertThat(scheduler.untilNext(now)).isPositive();
    now += 10_000 * MILLI;
    assertThat(scheduler.untilNext(now)).isPositive();
    scheduler.notified();
    assertThat(scheduler.untilNext(now)).isPositive();
  }

  @Test
  void whoFindsSomethingSendsTheNext() {
    for (int worker = 0; worker < 10; worker++) {
      assertThat(scheduler.untilNext(now)).isLessThanOrEqualTo(0);
      scheduler.begun(now);
      assertThat(scheduler.untilNext(now)).isPositive();
      scheduler.claimed();
    }
  }

  @Test
  void thePauseGrowsFrom25MillisecondsToASecondAndStays() {
    List<Long> pauses = new ArrayList<>();
    for (int look = 0; look < 9; look++) {
      scheduler.begun(now);
      now += MILLI;
      assertThat(scheduler.ended(NOTHING_THERE, true, now)).isFalse();
      pauses.add(scheduler.untilNext(now) / MILLI);
      now += scheduler.untilNext(now);
    }
    assertThat(pauses).containsExactly(25L, 50L, 100L, 200L, 400L, 800L, 1000L, 1000L, 1000L);
  }

  /** Else looks past a long queue that must wait would take the server's processors. */
  @Test
  void aLongLookInVainIsFollowedByALongPauseEvenIfThereIsNews() {
    scheduler.begun(now);
    now += 100 * MILLI;
    scheduler.ended(NOTHING_SETTLED, true, now);
    scheduler.notified();
    assertThat(scheduler.untilNext(now)).isEqualTo(300 * MILLI);
    now += 300 * MILLI;
    scheduler.begun(now);
    now += 700 * MILLI;
    scheduler.ended(NOTHING_SETTLED, true, now);
    scheduler.notified();
    assertThat(scheduler.untilNext(now)).isEqualTo(1000 * MILLI);
    now += 1000 * MILLI;
    scheduler.begun(now);
    scheduler.ended(NOTHING_SETTLED, true, now);
    scheduler.notified();
    assertThat(scheduler.untilNext(now)).isEqualTo(25 * MILLI);
  }

  @Test
  void aPassThatSettledSomethingIsFollowedByAnother() {
    scheduler.begun(now);
    scheduler.claimed();
    assertThat(scheduler.ended(SOMETHING_SETTLED, false, now)).isTrue();
  }

  @Test
  void afterWorkThePauseIsShortAgain() {
    lookInVain(10);
    scheduler.begun(now);
    scheduler.claimed();
    assertThat(scheduler.ended(SOMETHING_SETTLED, false, now)).isTrue();
    assertThat(scheduler.ended(NOTHING_THERE, false, now)).isFalse();
    assertThat(scheduler.untilNext(now)).isEqualTo(25 * MILLI);
  }

  @Test
  void aRowThatIsClaimedAndGivenBackAgainAndAgainDoesNotSpin() {
    int looks = 0;
    for (long until = now + 60_000 * MILLI;
        now < until;
        now += Math.max(1, scheduler.untilNext(now))) {
      looks++;
      scheduler.begun(now);
      scheduler.claimed();
      scheduler.ended(NOTHING_SETTLED, false, now);
    }
    assertThat(looks).isBetween(60, 70);
  }

  @Test
  void aNotificationEndsTheLongPauseAtOnce() {
    lookInVain(10);
    now += 300 * MILLI;
    assertThat(scheduler.untilNext(now)).isEqualTo(700 * MILLI);
    scheduler.notified();
    assertThat(scheduler.untilNext(now)).isLessThanOrEqualTo(0);
  }

  @Test
  void aNotificationWaitsForTheShortestPause() {
    lookInVain(10);
    now += 5 * MILLI;
    scheduler.notified();
    assertThat(scheduler.untilNext(now)).isEqualTo(20 * MILLI);
  }

  @Test
  void aNotificationDuringALookIsNotLost() {
    lookInVain(10);
    scheduler.begun(now);
    scheduler.notified();
    now += MILLI;
    scheduler.ended(NOTHING_THERE, true, now);
    assertThat(scheduler.untilNext(now)).isEqualTo(25 * MILLI);
  }

  @Test
  void aNotificationBeforeALookIsAnsweredByIt() {
    lookInVain(10);
    scheduler.notified();
    scheduler.begun(now);
    scheduler.ended(NOTHING_THERE, true, now);
    assertThat(scheduler.untilNext(now)).isEqualTo(1_000 * MILLI);
  }

  @Test
  void tenThousandNotificationsASecondAgainstABusyEntityMakeFortyLooks() {
    int looks = 0;
    for (int i = 0; i < 10_000; i++) {
      scheduler.notified();
      if (scheduler.untilNext(now) <= 0) {
        looks++;
        scheduler.begun(now);
        scheduler.ended(NOTHING_SETTLED, true, now);
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
        scheduler.failed(false, now);
      } else {
        scheduler.ended(NOTHING_SETTLED, false, now);
      }
    }
    now += 100 * MILLI;
    assertThat(scheduler.untilNext(now)).isLessThanOrEqualTo(0);
  }

  @Test
  void whoStopsWorkingDoesNotLookAgainBeforeTheShortestPause() {
    scheduler.begun(now);
    scheduler.claimed();
    now += 5_000 * MILLI;
    scheduler.ended(NOTHING_SETTLED, false, now);
    assertThat(scheduler.untilNext(now)).isEqualTo(25 * MILLI);
  }

  @Test
  void aWorkerThatEndsLeavesTheLookOfAnotherAlone() {
    scheduler.begun(now);
    scheduler.claimed();
    scheduler.begun(now);
    scheduler.ended(NOTHING_THERE, false, now);
    now += 100 * MILLI;
    assertThat(scheduler.untilNext(now)).isPositive();
    scheduler.failed(false, now);
    now += 2_000 * MILLI;
    assertThat(scheduler.untilNext(now)).isPositive();
  }

  @Test
  void whileTheDatabaseIsGoneItIsTriedOnceASecondWhateverTheNumberOfWorkers() {
    int looks = 0;
    for (int worker = 0; worker < 64; worker++) {
      scheduler.begun(now);
      scheduler.claimed();
    }
    for (int worker = 0; worker < 64; worker++) {
      scheduler.failed(false, now);
    }
    for (long until = now + 10_000 * MILLI; now < until; now += MILLI) {
      if (scheduler.untilNext(now) <= 0) {
        looks++;
        scheduler.begun(now);
        scheduler.failed(true, now);
      }
    }
    assertThat(looks).isBetween(9, 11);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void workIsBegunWithinASecondAndALookWhateverHappensMeanwhile(long seed) {
    WorkerSchedulerDrive drive = new WorkerSchedulerDrive(seed, 1 + (int) seed * 2);
    drive.run(Duration.ofMinutes(30));
    assertThat(drive.begun()).isGreaterThan(1_000);
    assertThat(drive.longestWait())
        .isLessThanOrEqualTo(WorkerScheduler.LONGEST_PAUSE.plus(WorkerSchedulerDrive.LONGEST_LOOK));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 64})
  void idleWorkersLookOnceASecondWhateverTheirNumber(int workers) {
    WorkerSchedulerDrive drive = new WorkerSchedulerDrive(1, workers);
    drive.run(Duration.ofMinutes(1));
    drive.quieten();
    drive.run(Duration.ofMinutes(5));
    int before = drive.looks();
    drive.run(Duration.ofSeconds(100));
    assertThat(drive.looks() - before).isBetween(90, 101);
  }

  private void lookInVain(int times) {
    for (int i = 0; i < times; i++) {
      scheduler.begun(now);
      scheduler.ended(NOTHING_THERE, true, now);
      now += i < times - 1 ? scheduler.untilNext(now) : 0;
    }
  }
}
