package dev.recorder.app.feature.faults;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.recorder.app.feature.Story;
import dev.recorder.app.harness.Bucket;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.LogState;
import dev.recorder.app.harness.Particulars;
import dev.recorder.app.harness.Takeover;
import dev.recorder.app.harness.proof.SettleJournal;
import dev.recorder.testing.network.Fault;
import dev.recorder.testing.network.HttpTap;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The active host dies, hangs, is cut off or is stopped while rows come in. */
@Timeout(900)
class TakeoverIT {
  private static final Duration AFTER_DEATH = Duration.ofMinutes(3);
  private static final Duration AFTER_SILENCE = Duration.ofMinutes(3);
  private static final Duration BACK_WITHIN = Duration.ofMinutes(3);

  @RegisterExtension private final Story story = new Story();
  private Host a;
  private Host b;

  @BeforeEach
  void startTwoHosts() throws Exception {
    a = story.cluster().host("host-a", true, Particulars.PATIENT);
    b = story.cluster().host("host-b", false, Particulars.PATIENT);
    story.begin(a, b);
  }

  @Test
  void frozenForASecondItGoesOnAndKilledItIsReplacedAtOnce() throws Exception {
    Duration frozen;
    do {
      frozen = frozenForASecond();
      story.awaitNextSlot();
      story.awaitNextSlot();
    } while (frozen.compareTo(Duration.ofSeconds(2)) > 0 && !isReplaced());
    assumeFalse(
        frozen.compareTo(Duration.ofSeconds(2)) > 0,
        () -> "a busy host let it stand still for so long that it was rightly replaced");
    story.assertReasons("start");

    a.kill();

    story.observer().awaitWorking(b, AFTER_DEATH);
    assertReceipt(a, b, 2, "died");
    story.end();
  }

  /** For how long in fact, at most: a busy host takes its time to start what sends a signal. */
  private Duration frozenForASecond() throws InterruptedException {
    long begun = System.nanoTime();
    a.freeze();
    Thread.sleep(1_000);
    a.thaw();
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  private boolean isReplaced() throws Exception {
    return story.observer().takeovers().size() > 1;
  }

  /** With a slot under way each time, on the same hosts, which take it from each other. */
  @Test
  void cutOffFrozenOrAskedToStopItIsReplacedAndItsSlotIsThereOnce() throws Exception {
    cutOffFromTheDatabaseItIsReplacedAndASlotItHadWrittenIsAdopted();
    aSlotThatArrivesAfterItsSuccessorsChangesNothing();
    askedToStopItSettlesTheSlotUnderWayAndLetsGo();
    story.endAfter(2);
  }

  private void cutOffFromTheDatabaseItIsReplacedAndASlotItHadWrittenIsAdopted() throws Exception {
    HttpTap.Request put = holdASlotOf(a);
    a.cut();
    story.tap().release();
    await().until(() -> story.cluster().bucket().slots().size() == slot(put));

    LogState successor = story.observer().awaitWorking(b, AFTER_SILENCE);
    a.heal();

    assertStandsByAndHasWrittenNothingSince(successor);
    assertThat(bucketSlot(put).writer()).isEqualTo("host-a");
    assertThat(settle(put).machine()).isEqualTo("host-b");
  }

  private void aSlotThatArrivesAfterItsSuccessorsChangesNothing() throws Exception {
    HttpTap.Request put = holdASlotOf(b);
    b.freeze();

    story.observer().awaitWorking(a, AFTER_SILENCE);
    story.tap().release();
    b.thaw();

    story.observer().awaitReady(b, BACK_WITHIN);
    story.awaitNextSlot();
    assertThat(bucketSlot(put).writer()).isEqualTo("host-a");
    assertThat(settle(put).machine()).isEqualTo("host-a");
  }

  /** In a build the simulator does it, and the test above a host that comes back. */
  @Tag("nightly")
  @Test
  void frozenItIsReplacedAndSendsNothingMoreOfItsSlotWhenItComesBack() throws Exception {
    story
        .tap()
        .onRequest(
            request ->
                Cluster.isSlotPut(request, a) ? Fault.answer(503, "SlowDown") : Fault.none());
    // By then it waits long enough between two attempts to be frozen in between.
    await().until(() -> attemptsOf(a) >= 5);
    Thread.sleep(50);
    a.freeze();

    LogState successor = story.observer().awaitWorking(b, AFTER_SILENCE);
    story.tap().noFaults();
    a.thaw();

    assertStandsByAndHasWrittenNothingSince(successor);
    story.end();
  }

  /** Number of PUTs of the slot that it sends now. */
  private long attemptsOf(Host host) throws Exception {
    String next = String.format("%020d", story.observer().state().lastSlot() + 1);
    return story.cluster().slotPuts(host, 1).filter(put -> put.path().contains(next)).count();
  }

  private void askedToStopItSettlesTheSlotUnderWayAndLetsGo() throws Exception {
    HttpTap.Request put = holdASlotOf(a);
    a.terminate();
    Thread.sleep(300);
    assertThat(a.isRunning()).as("host-a must wait for its slot").isTrue();
    story.tap().release();

    assertThat(a.awaitExit(Duration.ofSeconds(60))).isZero();
    story.observer().awaitWorking(b, AFTER_SILENCE);
    assertThat(settle(put).machine()).isEqualTo("host-a");
    assertReceipt(a, b, 4, "released");
  }

  private void assertStandsByAndHasWrittenNothingSince(LogState successor) throws Exception {
    story.observer().awaitReady(a, BACK_WITHIN);
    story.awaitNextSlot();
    assertReceipt(a, b, 2, Story.silent());
    story.assertNoSlotPut(a, 1, successor.seenNanos());
  }

  /** That this is the last takeover, that it began this term, and that each began one. */
  private void assertReceipt(Host from, Host to, int epoch, String... reasons) throws Exception {
    List<Takeover> takeovers = story.observer().takeovers();
    assertThat(takeovers).hasSize(epoch);
    Takeover last = takeovers.get(epoch - 1);
    assertThat(List.of(last.from(), last.to(), last.epoch()))
        .containsExactly(from.name(), to.name(), (long) epoch);
    assertThat(last.reason()).isIn((Object[]) reasons);
  }

  /** Waits until a slot of {@code host} is on its way and holds it there. */
  private HttpTap.Request holdASlotOf(Host host) {
    Predicate<HttpTap.Request> isSlotPut = request -> Cluster.isSlotPut(request, host);
    story.tap().onNext(1, isSlotPut, Fault.hold());
    await().until(() -> story.tap().holding() == 1);
    return story.tap().requests().stream()
        .filter(isSlotPut)
        .reduce((earlier, later) -> later)
        .orElseThrow();
  }

  private static long slot(HttpTap.Request put) {
    String file = put.path().substring(put.path().lastIndexOf('/') + 1);
    return Long.parseLong(file.substring(0, file.indexOf('.')));
  }

  private Bucket.Slot bucketSlot(HttpTap.Request put) {
    return story.cluster().bucket().slots().get((int) slot(put) - 1);
  }

  private SettleJournal.Settle settle(HttpTap.Request put) throws Exception {
    return story.settles().stream()
        .filter(settle -> settle.slot() == slot(put))
        .findFirst()
        .orElseThrow();
  }
}
