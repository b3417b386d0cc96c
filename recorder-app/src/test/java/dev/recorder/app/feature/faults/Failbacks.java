package dev.recorder.app.feature.faults;

import static dev.recorder.app.harness.Particulars.SLOW_TO_JUDGE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.feature.Story;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Particulars;
import dev.recorder.testing.network.Fault;
import dev.recorder.testing.network.PostgresProxy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A recorder goes back to its primary by itself, and away from a host that is stuck with it. */
abstract class Failbacks {
  private static final Duration SOON = Duration.ofMinutes(3);
  private static final Particulars QUICK =
      Particulars.NONE.withTiming("failback_after = 1s\nstuck_after = 2s\n" + SLOW_TO_JUDGE);
  private static final Particulars STAYING =
      Particulars.NONE.withTiming("failback_after = 1h\nstuck_after = 2s\n" + SLOW_TO_JUDGE);

  @RegisterExtension private final Story story = new Story();
  private Host a;
  private Host b;

  @Test
  void aPrimaryThatIsBackGetsItsRecorderBackAndEachFaultInARowDoublesTheWaitUnlessItIsManual()
      throws Exception {
    startTwoHosts(QUICK);
    aPrimaryThatIsBackGetsItsRecorderBackAndEachFaultInARowDoublesTheWait();
    aManualRecorderStaysWhereItIs();
    story.end();
  }

  private void aPrimaryThatIsBackGetsItsRecorderBackAndEachFaultInARowDoublesTheWait()
      throws Exception {
    for (int round = 0; round < 2; round++) {
      a.kill();
      story.observer().awaitWorking(b, SOON);
      a.start();
      story.observer().awaitReady(a, SOON);
      long ready = System.nanoTime();
      story.observer().awaitWorking(a, SOON);
      long waited = Story.millis(ready, System.nanoTime());
      story.figure("failback, ms after the primary was ready:", waited);
      assertThat(waited).isGreaterThan(round == 0 ? 900 : 1_900);
    }
    story.assertReasons("start", "died", "failback", "died", "failback");
    story.figure("gap, ms:", story.observer().takeovers().get(2).gapMillis());
  }

  private void aManualRecorderStaysWhereItIs() throws Exception {
    for (Host host : List.of(a, b)) {
      host.edit("[recorder:orders]", "[recorder:orders]\nfailback = manual").hangUp();
      host.awaitLog("failback = manual", SOON);
    }
    a.kill();
    story.observer().awaitWorking(b, SOON);
    a.start();
    story.observer().awaitReady(a, SOON);
    Thread.sleep(3_000);

    story.assertReasons("start", "died", "failback", "died", "failback", "died");
  }

  // ---- stuck

  @Test
  void aHostThatIsStuckGivesTheRecorderToAPeerThatCan() throws Exception {
    startTwoHosts(STAYING);
    aHostWhoseSlotsAreNotTakenGivesTheRecorderToAPeer();
    aHostWhoseDataSessionsAreCutGivesTheRecorderToAPeer();
    story.end();
  }

  private void aHostWhoseSlotsAreNotTakenGivesTheRecorderToAPeer() throws Exception {
    story
        .tap()
        .onRequest(
            request ->
                Cluster.isSlotPut(request, a) ? Fault.answer(500, "InternalError") : Fault.none());
    story.observer().awaitWorking(b, SOON);

    story.assertReasons("start", "stuck");
    a.awaitLog("standby: term 1 has ended: it makes no progress here, host-b may", SOON);
    story.tap().noFaults();
    story.observer().awaitReady(a, SOON);
  }

  private void aHostWhoseDataSessionsAreCutGivesTheRecorderToAPeer() throws Exception {
    b.database().sessions(PostgresProxy.Purpose.DATA).cut();
    story.observer().awaitWorking(a, SOON);
    b.heal();

    story.assertReasons("start", "stuck", "stuck");
    story.observer().awaitReady(b, SOON);
  }

  /** In a build {@link NamedFaultsIT}, where it hangs for both or refuses both. */
  @Tag("nightly")
  @Test
  void whileS3IsGoneForBothNothingMoves() throws Exception {
    startTwoHosts(STAYING);
    story.tap().onRequest(request -> Fault.answer(503, "ServiceUnavailable"));
    b.awaitLog("host-a is stuck", SOON);
    Thread.sleep(8_000);
    story.assertReasons("start");
    story.tap().noFaults();

    story.awaitNextSlot();
    story.observer().awaitReady(b, SOON);
    assertThat(story.observer().takeovers()).hasSizeLessThanOrEqualTo(2);
    story.end();
  }

  private void startTwoHosts(Particulars particulars) throws Exception {
    a = story.cluster().host("host-a", true, particulars);
    b = story.cluster().host("host-b", false, particulars);
    story.begin(a, b);
    story.awaitNextSlot();
  }
}
