package dev.recorder.app.feature.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.feature.HealthChecksIT;
import dev.recorder.app.feature.Story;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.LogState;
import dev.recorder.app.harness.Particulars;
import dev.recorder.testing.network.PostgresProxy.Purpose;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The active host, or both, and the database lose each other in part or altogether. */
abstract class DatabaseFaults {
  private static final Duration REPLACED_WITHIN = Duration.ofMinutes(3);
  private static final Duration BACK_WITHIN = Duration.ofMinutes(3);
  private static final Duration NEVER_WAITED = Duration.ofSeconds(30);

  @RegisterExtension private final Story story = new Story();
  private Host a;
  private Host b;

  @BeforeEach
  void startTwoHosts() throws Exception {
    a = story.cluster().host("host-a", true, Particulars.STEADY);
    b = story.cluster().host("host-b", false, Particulars.STEADY);
    story.begin(a, b);
    story.awaitNextSlot();
  }

  @Test
  void aFaultOfDataSessionsAloneIsWaitedForAndOneOfItsLocksHasTheActiveHostReplaced()
      throws Exception {
    aShortCutOfTheDataSessionsAloneIsWaitedFor();
    refusedDataSessionsAreOpenedAgain();
    story.nextChapter();
    refusedAConnectionOrCutOffFromItsLocksTheActiveHostIsReplaced();
    story.endAfter(2);
  }

  /** Of all sessions first; then, of the one that took over, of the control session alone. */
  private void refusedAConnectionOrCutOffFromItsLocksTheActiveHostIsReplaced() throws Exception {
    long cut = System.nanoTime();
    a.database().all().refuseNew();
    a.database().all().reset();
    replaced(a, b, cut);
    assertReceipts("died");
    story.assertNoAlarms(b);

    cut = System.nanoTime();
    b.database().sessions(Purpose.CONTROL).cut();
    replaced(b, a, cut);
    for (Host host : story.cluster().hosts()) {
      story.assertAlarms(host, Story.SESSION_LOST, Story.NO_DATABASE);
    }
  }

  /**
   * Of what it sends first; then, of the one that took over, of what it hears. In a build the
   * simulator.
   */
  @Tag("nightly")
  @Test
  void aCutInOneDirectionHasTheActiveHostReplaced() throws Exception {
    a.database().all().pauseToTarget();
    long cut = System.nanoTime();
    story.assertFenced(a, cut, replaced(a, b, cut));
    assertReceipts(Story.silent());
    story.assertNoAlarms(b);

    b.database().all().pauseToClient();
    cut = System.nanoTime();
    story.assertFenced(b, cut, replaced(b, a, cut));
    for (Host host : story.cluster().hosts()) {
      story.assertAlarms(host, Story.SESSION_LOST, Story.NO_DATABASE);
    }
    story.end();
  }

  private void aShortCutOfTheDataSessionsAloneIsWaitedFor() throws Exception {
    long slot = story.observer().state().lastSlot();
    long cut = System.nanoTime();
    a.database().sessions(Purpose.DATA).cut();
    Thread.sleep(3_000);
    assertThat(story.observer().state().lastSlot()).isLessThanOrEqualTo(slot + 1);
    a.heal();

    assertRecordsOnWithoutTakeover(cut);
    // The server ends a transaction that was left open for too long.
    assertThat(story.alarms(a))
        .hasSizeLessThanOrEqualTo(1)
        .allMatch(alarm -> alarm.text().startsWith(Story.NO_DATABASE));
  }

  private void refusedDataSessionsAreOpenedAgain() throws Exception {
    int before = story.alarms(a).size();
    long cut = System.nanoTime();
    a.database().sessions(Purpose.DATA).refuseNew();
    a.database().sessions(Purpose.DATA).reset();
    Thread.sleep(3_000);
    a.heal();

    assertRecordsOnWithoutTakeover(cut);
    assertThat(story.alarms(a))
        .hasSizeGreaterThan(before)
        .hasSizeLessThanOrEqualTo(before + 2)
        .allMatch(alarm -> alarm.text().startsWith(Story.NO_DATABASE));
    a.awaitLog("the database answers again", BACK_WITHIN);
  }

  /** In a build {@link HealthChecksIT}. */
  @Tag("nightly")
  @Test
  void aBlackHoleForBothHostsHoldsUpNoApplicationAndIsWaitedFor() throws Exception {
    a.cut();
    b.cut();
    long cut = System.nanoTime();
    Thread.sleep(4_000);
    long healed = System.nanoTime();
    a.heal();
    b.heal();

    LogState back = story.awaitTermAtWork(2);
    story.figure(
        "at work again, ms after the cut was healed:", Story.millis(healed, back.seenNanos()));
    story.observer().awaitReady(a, BACK_WITHIN);
    story.observer().awaitReady(b, BACK_WITHIN);
    story.assertFenced(a, cut, healed);
    story.assertApplicationsWentOn(cut, NEVER_WAITED);
    story.assertAlarms(a, Story.SESSION_LOST, Story.NO_DATABASE);
    story.assertAlarms(b, Story.SESSION_LOST, Story.NO_DATABASE);
    assertThat(story.observer().state().epoch()).isEqualTo(2);
    story.end();
  }

  /** Returns when the way to the database was healed. */
  private long replaced(Host victim, Host successor, long cut) throws Exception {
    long epoch = story.observer().state().epoch();
    LogState begun = story.observer().awaitWorking(successor, REPLACED_WITHIN);
    story.figure("replaced, ms after the fault:", Story.millis(cut, begun.seenNanos()));
    story.awaitNextSlot();
    long healed = System.nanoTime();
    victim.heal();

    story.observer().awaitReady(victim, BACK_WITHIN);
    story.awaitNextSlot();
    story.assertNoSlotPut(victim, epoch, begun.seenNanos());
    story.assertApplicationsWentOn(cut, NEVER_WAITED);
    return healed;
  }

  private void assertRecordsOnWithoutTakeover(long cut) throws Exception {
    long healed = System.nanoTime();
    story.awaitNextSlot();
    story.awaitNextSlot();
    story.figure(
        "second slot, ms after the fault was healed:", Story.millis(healed, System.nanoTime()));
    story.assertApplicationsWentOn(cut, NEVER_WAITED);
    story.assertNoTakeover();
  }

  /** What happened first; later a primary may take back what is its own. */
  private void assertReceipts(String... reasons) throws Exception {
    assertThat(story.observer().takeovers().get(1).reason()).isIn((Object[]) reasons);
  }
}
