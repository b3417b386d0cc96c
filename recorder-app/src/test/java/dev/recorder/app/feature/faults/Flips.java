package dev.recorder.app.feature.faults;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.feature.Story;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Particulars;
import dev.recorder.app.harness.Takeover;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An operator changes the files and sends SIGHUP, while rows come in. */
abstract class Flips {
  private static final Duration SOON = Duration.ofMinutes(3);
  private static final Duration NOBODY_MOVES = Duration.ofSeconds(2);
  private static final int CHAPTERS = 5;
  private static final String PRIMARY = "primary = true";
  private static final String SECONDARY = "primary = false";

  /** So that nothing goes back by itself while a story is told. */
  private static final Particulars PATIENT = Particulars.PATIENT;

  @RegisterExtension private final Story story = new Story();
  private Host a;
  private Host b;

  @BeforeEach
  void startTwoHosts() throws Exception {
    a = story.cluster().host("host-a", true, PATIENT);
    b = story.cluster().host("host-b", false, PATIENT);
    story.begin(a, b);
    story.awaitNextSlot();
  }

  @Test
  void theRecorderMovesToItsOnePrimaryByAFlipOrARestartAndABadFileChangesNothing()
      throws Exception {
    withTwoPrimariesTheFirstStaysUntilItIsPrimaryNoMore();
    withNoPrimaryAnywhereNobodyMovesUntilThereIsOne();
    aBadFileChangesNothingAndSaysWhere();
    whatNeedsARestartIsNamedAndDiffersFromTheOtherHostsNoMoreThanBefore();
    aFlipActsAtOnce();
    recordersComeAndGoWithoutARestart();
    aFlipByARestartCountsTooAndFilesThatDifferAreToldOnceByBothHosts();
    story.endAfter(CHAPTERS);
  }

  private void withTwoPrimariesTheFirstStaysUntilItIsPrimaryNoMore() throws Exception {
    b.edit(SECONDARY, PRIMARY).hangUp();
    b.awaitLog("has more than one primary: this host and host-a", SOON);
    a.awaitLog("has more than one primary: this host and host-b", SOON);
    assertThat(story.observer().state().holder()).isEqualTo("host-a");

    a.edit(PRIMARY, SECONDARY).hangUp();
    story.observer().awaitWorking(b, SOON);

    assertMoved(a, b, 2);
  }

  private void withNoPrimaryAnywhereNobodyMovesUntilThereIsOne() throws Exception {
    long files = reloads(b);
    b.edit(PRIMARY, SECONDARY).hangUp();
    await().until(() -> reloads(b) > files);
    Thread.sleep(NOBODY_MOVES.toMillis());
    assertThat(story.observer().state().holder()).isEqualTo("host-b");

    a.edit(SECONDARY, PRIMARY).hangUp();
    story.observer().awaitWorking(a, SOON);

    assertMoved(b, a, 3);
  }

  private static long reloads(Host host) {
    return host.log().stream().filter(line -> line.contains("effective configuration")).count();
  }

  private void aFlipActsAtOnce() throws Exception {
    a.edit(PRIMARY, SECONDARY + "\nfailback = manual").hangUp();
    b.edit(SECONDARY, PRIMARY + "\nfailback = manual").hangUp();
    story.observer().awaitWorking(b, SOON);

    assertMoved(a, b, 4);
  }

  /** Its file has had another linger than the other's for a while. */
  private void aFlipByARestartCountsTooAndFilesThatDifferAreToldOnceByBothHosts() throws Exception {
    b.edit(PRIMARY, SECONDARY).hangUp();
    a.terminate();
    a.awaitExit(SOON);
    a.edit(SECONDARY, PRIMARY).start();
    story.observer().awaitWorking(a, SOON.multipliedBy(2));

    // One of them is the second recorder's.
    assertMoved(b, a, 6);
    String differs = "section [recorder:orders] differs in linger between this host and host-";
    a.awaitLog(differs + "b", SOON.multipliedBy(2));
    b.awaitLog(differs + "a", SOON.multipliedBy(2));
    Thread.sleep(Duration.ofSeconds(6).toMillis());
    assertThat(a.log()).filteredOn(line -> line.contains(differs)).hasSize(1);
  }

  private void aBadFileChangesNothingAndSaysWhere() throws Exception {
    a.edit(PRIMARY, "primary = maybe").hangUp();
    a.awaitLog("the changed configuration is not used: ", SOON);
    assertThat(a.alarms())
        .anySatisfy(
            alarm ->
                assertThat(alarm.text())
                    .containsPattern("host-a.ini:\\d+: error: primary = maybe"));
    story.awaitNextSlot();
    a.edit("primary = maybe", PRIMARY);
  }

  private void whatNeedsARestartIsNamedAndDiffersFromTheOtherHostsNoMoreThanBefore()
      throws Exception {
    a.edit("linger = 300ms", "linger = 400ms").hangUp();
    a.awaitLog(
        "takes effect after a restart: [recorder:orders] linger = 400ms, it stays 300ms", SOON);
    story.awaitNextSlot();
    assertThat(story.observer().takeovers()).hasSize(3);
  }

  private void recordersComeAndGoWithoutARestart() throws Exception {
    String second =
        """

        [recorder:second]
        lockid = 2
        primary = true
        linger = 100ms
        """;
    a.edit("[recorder:orders]", second + "[recorder:orders]").hangUp();
    story.observer().awaitHolder("second", "host-a", SOON);

    a.edit(second, "").hangUp();
    story.observer().awaitHolder("second", "nobody", SOON);
    story.awaitNextSlot();
    assertThat(story.observer().state().holder()).isEqualTo("host-b");
  }

  /** With so many receipts, of which that is the last. */
  private void assertMoved(Host from, Host to, int receipts) throws Exception {
    List<Takeover> takeovers = story.observer().takeovers();
    assertThat(takeovers).hasSize(receipts);
    Takeover last = takeovers.get(receipts - 1);
    story.figure("gap, ms:", last.gapMillis());
    assertThat(last.reason()).isEqualTo("switchover");
    assertThat(last.from()).isEqualTo(from.name());
    assertThat(last.to()).isEqualTo(to.name());
    assertThat(last.gapMillis()).isLessThan(SOON.toMillis());
  }
}
