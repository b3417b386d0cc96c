package dev.recorder.app.feature.faults;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.feature.Story;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.LogState;
import dev.recorder.app.harness.Particulars;
import dev.recorder.testing.network.Fault;
import dev.recorder.testing.network.HttpTap;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** S3 answers badly, late, or not at all. */
abstract class S3Faults {
  private static final Duration BACK_WITHIN = Duration.ofMinutes(3);
  private static final Duration FAULT_LASTS = Duration.ofSeconds(1);
  private static final Duration NEVER_WAITED = Duration.ofSeconds(30);
  private static final String NO_STORE = "S3 does not answer properly, retrying:";

  /** The shortest waits between two attempts are 50, 100, 200 ms and so on up to 2 s. */
  private static final int MOST_ATTEMPTS_A_SECOND = 8;

  @RegisterExtension private final Story story = new Story();
  private Host a;
  private Host b;

  @BeforeEach
  void startTwoHosts() throws Exception {
    Particulars impatient = Particulars.PATIENT.withTiming("s3_attempt_timeout = 4s");
    a = story.cluster().host("host-a", true, impatient);
    b = story.cluster().host("host-b", false, impatient);
    story.begin(a, b);
    story.awaitNextSlot();
  }

  /** One after the other, on the same hosts: nothing of one may be left when the next begins. */
  @Test
  void errorsAndHangsAndLostAnswersAreWaitedForAndAStopEndsInTime() throws Exception {
    errorsAreWaitedFor();
    aHangingOneIsAskedAgainAndItsLateAnswersChangeNothing();
    droppedAnswersOfAppliedPutsAreFoundOut();
    story.assertNoTakeover();
    story.assertNoAlarms(b);
    story.nextChapter();
    askedToStopWhileItHangsTheActiveHostEndsInTime();
    story.endAfter(2);
  }

  private void errorsAreWaitedFor() throws Exception {
    List<Fault.Answer> errors =
        List.of(
            new Fault.Answer(500, "InternalError"),
            new Fault.Answer(503, "SlowDown"),
            new Fault.Answer(403, "AccessDenied"),
            new Fault.Answer(409, "ConditionalRequestConflict"));
    for (Fault.Answer error : errors) {
      long began = System.nanoTime();
      story.tap().onRequest(request -> isSlotPut(request) ? error : Fault.none());
      await().until(() -> slotPutsSince(began) > 0);
      Thread.sleep(FAULT_LASTS.toMillis());
      story.tap().noFaults();
      long ended = System.nanoTime();
      awaitOutages(a, 1 + errors.indexOf(error));
      story.awaitNextSlot();

      long attempts = slotPutsSince(began) - slotPutsSince(ended);
      story.figure(error.status() + ": attempts in a second:", attempts);
      story.figure(
          error.status() + ": next slot, ms after:", Story.millis(ended, System.nanoTime()));
      assertThat(attempts).isPositive().isLessThanOrEqualTo(MOST_ATTEMPTS_A_SECOND);
      assertThat(story.alarms(a))
          .hasSize(1 + errors.indexOf(error))
          .last()
          .satisfies(
              alarm ->
                  assertThat(alarm.text())
                      .startsWith(NO_STORE)
                      .contains("HTTP " + error.status() + " " + error.code(), "bucket"));
    }
  }

  private void aHangingOneIsAskedAgainAndItsLateAnswersChangeNothing() throws Exception {
    int before = story.alarms(a).size();
    long began = System.nanoTime();
    story.tap().onRequest(request -> isSlotPut(request) ? Fault.hold() : Fault.none());
    await().until(() -> story.tap().holding() >= 2);
    story.figure("second attempt, ms after the fault:", Story.millis(began, System.nanoTime()));
    story.tap().release();

    awaitOutages(a, before + 1);
    story.awaitNextSlot();
    assertThat(story.alarms(a)).last().matches(alarm -> alarm.text().startsWith(NO_STORE));
    story.assertApplicationsWentOn(began, NEVER_WAITED);
  }

  private void droppedAnswersOfAppliedPutsAreFoundOut() throws Exception {
    long began = System.nanoTime();
    long slot = story.observer().state().lastSlot();
    int before = story.alarms(a).size();
    story.tap().onNext(3, this::isSlotPut, Fault.dropAnswer());

    story.observer().await("four more slots", BACK_WITHIN, state -> state.lastSlot() >= slot + 4);
    assertThat(story.tap().requests())
        .filteredOn(request -> isSlotPut(request) && request.nanos() - began > 0)
        .extracting(HttpTap.Request::path)
        .as("a slot that is there is not sent again")
        .doesNotHaveDuplicates();
    assertThat(story.alarms(a))
        .allMatch(alarm -> alarm.text().startsWith(NO_STORE))
        .hasSizeBetween(before + 1, before + 3);
  }

  /** For some seconds: {@link Failbacks}. */
  @Tag("nightly")
  @Test
  void goneForAMinuteItIsWaitedForWithoutPassingTheRecorderAround() throws Exception {
    long gone = System.nanoTime();
    story.tap().goAway();
    Thread.sleep(TimeUnit.MINUTES.toMillis(1));
    long epoch = story.observer().state().epoch();
    story.tap().comeBack();
    long back = System.nanoTime();

    story.awaitNextSlot();
    story.figure("next slot, ms after S3 was back:", Story.millis(back, System.nanoTime()));
    story.figure("epoch after the minute:", epoch);
    assertThat(epoch).isLessThanOrEqualTo(2 + story.sessionsLost());
    story.assertApplicationsWentOn(gone, NEVER_WAITED);
    assertThat(story.alarms(a)).as("alarms of host-a").hasSizeBetween(1, 3);
    assertThat(story.alarms(b)).as("alarms of host-b").hasSizeLessThanOrEqualTo(3);
    story.end();
    assertThat(story.observer().state().epoch()).isLessThanOrEqualTo(2 + story.sessionsLost());
  }

  private void askedToStopWhileItHangsTheActiveHostEndsInTime() throws Exception {
    story.tap().onRequest(request -> isSlotPut(request) ? Fault.hold() : Fault.none());
    await().until(() -> story.tap().holding() >= 1);
    long asked = System.nanoTime();
    a.terminate();

    int code = a.awaitExit(Duration.ofSeconds(60));
    long ended = System.nanoTime();
    story.figure("ended, ms after SIGTERM:", Story.millis(asked, ended));
    story.figure("exit code:", code);
    assertThat(code).isIn(0, 143);
    assertThat(Story.millis(asked, ended)).isLessThan(30_000);
    story.tap().release();
    LogState successor = story.observer().awaitWorking(b, BACK_WITHIN);
    story.figure("replaced, ms after the end:", Story.millis(ended, successor.seenNanos()));
    story.assertAlarms(a, "stopping with slots under way that did not settle", NO_STORE);
  }

  private boolean isSlotPut(HttpTap.Request request) {
    return Cluster.isSlotPut(request, a) || Cluster.isSlotPut(request, b);
  }

  private long slotPutsSince(long nanos) {
    return story.tap().requests().stream()
        .filter(this::isSlotPut)
        .filter(request -> request.nanos() - nanos > 0)
        .count();
  }

  /** Waits until {@code host} has said so often that S3 answers again. */
  private static void awaitOutages(Host host, int count) {
    await()
        .until(
            () ->
                host.log().stream().filter(line -> line.contains("S3 answers again")).count()
                    >= count);
  }
}
