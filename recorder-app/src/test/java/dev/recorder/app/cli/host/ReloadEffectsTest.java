package dev.recorder.app.cli.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.cli.host.ReloadEffects.RecorderReloadEffect;
import dev.recorder.app.config.RecorderChange;
import dev.recorder.app.config.RecorderChange.ChangeKind;
import dev.recorder.leadership.postgres.Condition;
import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.operate.diagnosis.Diagnosis;
import dev.recorder.operate.orders.PausedRecorder;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.HostFacts;
import dev.recorder.operate.site.Limits;
import dev.recorder.operate.site.MachineStatus;
import dev.recorder.operate.site.RecorderFacts;
import dev.recorder.operate.site.RecorderStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a reload of host-a is over, as the database shows it. */
class ReloadEffectsTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  private final List<HostFacts> hosts = new ArrayList<>();
  private Set<String> activeBefore = Set.of("orders");
  private @Nullable String holder = "host-a";
  private String kind = "log";
  private boolean row = true;
  private boolean alive = true;
  private @Nullable PausedRecorder paused;
  private Set<Integer> stuck = Set.of();

  @Test
  void aStartedRecorderIsOverOnceItsHostCouldTakeIt() {
    activeBefore = Set.of();
    holder = "host-b";
    row = false;
    host("host-a", List.of(), List.of());
    assertWaits(ChangeKind.STARTED, "host-a has yet to prepare it");
    row = true;
    assertWaits(ChangeKind.STARTED, "host-a is not able to take it yet");
    hosts.clear();
    host("host-a", List.of(1), List.of());
    assertOver(ChangeKind.STARTED, "started", "host-b is active");
  }

  @Test
  void aRecorderThatAKeyElectsIsOverOnceItsHostWaitsForTheKey() {
    activeBefore = Set.of();
    holder = "host-b";
    states(About.READY, "");
    assertOver(ChangeKind.STARTED, "started", "host-b is active");
    hosts.clear();
    hosts.add(facts("host-a", true, List.of(), List.of(1), About.READY, ""));
    assertOver(ChangeKind.PREFERRED, "preferred", "host-b is active");
  }

  @Test
  void aStartedRecorderThatNobodyHasIsOverOnceSomebodyIsActive() {
    holder = null;
    host("host-a", List.of(1), List.of(1));
    assertWaits(ChangeKind.STARTED, "no host is active yet");
    holder = "host-a";
    assertOver(ChangeKind.STARTED, "started", "host-a is active");
  }

  @Test
  void aStartedRecorderThatIsRefusedIsOverAndNeedsAnOperator() {
    hosts.add(
        facts("host-a", true, List.of(), List.of(), About.REFUSED, "lockid 1 belongs to others"));
    holder = null;

    RecorderReloadEffect effect = effect(ChangeKind.STARTED);

    assertThat(effect.settled()).isTrue();
    assertThat(effect.faulty()).isTrue();
    assertThat(effect.now()).isEqualTo("refused on host-a: lockid 1 belongs to others");
  }

  @Test
  void aRecorderThatNobodyHasEverRunMayBeRefusedToo() {
    row = false;
    states(About.REFUSED, "lockid 1 belongs to others");

    assertThat(effect(ChangeKind.STARTED))
        .isEqualTo(
            new RecorderReloadEffect(
                "orders", "started", true, true, "refused on host-a: lockid 1 belongs to others"));
  }

  @Test
  void whatStaysRefusedIsSaidToWhateverWasChangedOfIt() {
    row = false;
    states(About.REFUSED, "lockid 1 belongs to others");

    for (ChangeKind kind :
        List.of(ChangeKind.UNCHANGED, ChangeKind.NOT_PREFERRED, ChangeKind.NEEDS_RESTART)) {
      assertThat(effect(kind))
          .isEqualTo(
              new RecorderReloadEffect(
                  "orders",
                  kind.word(),
                  true,
                  true,
                  "refused on host-a: lockid 1 belongs to others"));
    }
  }

  @Test
  void whatKeepsAHostFromTakingItIsSaidWhileItIsWaitedFor() {
    hosts.add(facts("host-a", true, List.of(), List.of(), About.UNABLE, "not checked yet"));
    holder = "host-b";

    assertWaits(ChangeKind.STARTED, "host-a is not able to take it: not checked yet");
  }

  @Test
  void startedRequestsAreOverOnceTheirHostSaysThatItProcessesThem() {
    kind = "requests";
    holder = null;
    hosts.add(facts("host-a", false, List.of(), List.of(), null, ""));
    assertWaits(ChangeKind.STARTED, "host-a has yet to prepare it");
    hosts.clear();
    host("host-a", List.of(), List.of());
    assertWaits(ChangeKind.STARTED, "host-a is not able to process it yet");
    states(About.UNABLE, "testing database and store");
    assertWaits(ChangeKind.STARTED, "host-a is not able to process it: testing database and store");
    states(About.READY, "");
    assertOver(
        ChangeKind.STARTED, "started", "requests are processed by all hosts that are able to");
  }

  @Test
  void startedRequestsThatAreRefusedAreNotSaidToBeProcessed() {
    kind = "requests";
    holder = null;
    states(About.REFUSED, "other prefix");

    assertThat(effect(ChangeKind.STARTED))
        .isEqualTo(
            new RecorderReloadEffect(
                "orders", "started", true, true, "refused on host-a: other prefix"));
  }

  @Test
  void aStoppedRecorderIsOverOnceItsHostHasLetGoOfIt() {
    host("host-a", List.of(), List.of());
    holder = null;
    assertWaits(ChangeKind.STOPPED, "host-a settles what is under way");
    hosts.clear();
    holder = "host-a";
    hosts.add(facts("host-a", false, List.of(), List.of(), null, ""));
    assertWaits(ChangeKind.STOPPED, "host-a settles what is under way");
    holder = null;
    assertOver(ChangeKind.STOPPED, "stopped", "no host is active");
  }

  @Test
  void aRecorderIsHandedOverOnceTheOtherPrimaryHasIt() {
    host("host-a", List.of(1), List.of(1));
    host("host-b", List.of(1), List.of(1));
    assertWaits(ChangeKind.NOT_PREFERRED, "host-a has yet to say that it is not its primary");
    hosts.clear();
    host("host-a", List.of(1), List.of());
    host("host-b", List.of(1), List.of(1));
    assertWaits(ChangeKind.NOT_PREFERRED, "it goes from host-a to host-b");
    holder = null; // Between the release and the take.
    assertWaits(ChangeKind.NOT_PREFERRED, "it goes from host-a to host-b");
    holder = "host-b";
    assertOver(ChangeKind.NOT_PREFERRED, "handed_over", "host-b is active");
  }

  @Test
  void withoutAnotherPrimaryItStaysAndThatIsAll() {
    host("host-a", List.of(1), List.of());
    host("host-b", List.of(1), List.of());

    assertOver(
        ChangeKind.NOT_PREFERRED,
        "not_preferred",
        "stays on host-a until another host is its primary");
  }

  @Test
  void whatWasNotActiveHereWasNotHandedOver() {
    activeBefore = Set.of();
    holder = "host-b";
    host("host-a", List.of(1), List.of());

    assertOver(ChangeKind.NOT_PREFERRED, "not_preferred", "host-b is active");
  }

  @Test
  void aPreferredRecorderIsOverOnceItIsHere() {
    holder = "host-b";
    host("host-a", List.of(1), List.of());
    host("host-b", List.of(1), List.of());
    assertWaits(ChangeKind.PREFERRED, "host-a has yet to say that it is its primary");
    hosts.clear();
    host("host-a", List.of(1), List.of(1));
    host("host-b", List.of(1), List.of());
    assertWaits(ChangeKind.PREFERRED, "it comes to host-a");
    holder = "host-a";
    assertOver(ChangeKind.PREFERRED, "preferred", "host-a is active");
  }

  @Test
  void ofTwoPrimariesTheFirstKeepsIt() {
    holder = "host-b";
    host("host-a", List.of(1), List.of(1));
    host("host-b", List.of(1), List.of(1));

    assertOver(ChangeKind.PREFERRED, "preferred", "stays on host-b, which is its primary too");
  }

  @Test
  void whatIsAsBeforeIsOverAtOnceButForAHostWithoutSession() {
    host("host-a", List.of(), List.of());
    assertOver(ChangeKind.UNCHANGED, "unchanged", "host-a is active");
    assertOver(ChangeKind.NEEDS_RESTART, "needs_restart", "host-a is active");
    assertOver(ChangeKind.CHANGED, "changed", "host-a is active");
    alive = false;
    hosts.clear();
    host("host-a", List.of(), List.of());
    assertWaits(ChangeKind.UNCHANGED, "host-a has no session with the database at the moment");
  }

  @Test
  void ofARecorderThatIsPausedItIsSaidThatItIsAndUntilWhen() {
    paused = new PausedRecorder(NOW.plusSeconds(60), "the bucket moves", null, null);
    String until = "paused by an operator until 2026-01-02T03:05:05Z: the bucket moves";
    host("host-a", List.of(1), List.of(1));
    assertOver(ChangeKind.UNCHANGED, "unchanged", "host-a holds it, and it is " + until);
    holder = null;
    assertOver(ChangeKind.UNCHANGED, "unchanged", "no host holds it, and it is " + until);
    kind = "requests";
    assertOver(ChangeKind.UNCHANGED, "unchanged", "no host processes requests: it is " + until);
  }

  @Test
  void whoHasItAndDoesNotRecordItIsNotSaidToBeActive() {
    stuck = Set.of(1);
    host("host-a", List.of(1), List.of(1));
    assertOver(ChangeKind.UNCHANGED, "unchanged", "host-a has it, and is stuck");
    alive = false;
    host("host-b", List.of(1), List.of());
    holder = "host-b";
    assertOver(ChangeKind.UNCHANGED, "unchanged", "host-b has it, and is silent");
  }

  @Test
  void activeIsWhatTheRowsSay() {
    assertThat(ReloadEffects.active("host-a", facts())).containsExactly("orders");
    assertThat(ReloadEffects.active("host-b", facts())).isEmpty();
  }

  // ---- what the database shows

  private void host(String name, List<Integer> able, List<Integer> primaryFor) {
    hosts.add(facts(name, true, able, primaryFor, null, ""));
  }

  /** The only host, of the recorder. */
  private void states(About about, String why) {
    hosts.clear();
    hosts.add(facts("host-a", true, List.of(), List.of(), about, why));
  }

  private HostFacts facts(
      String name,
      boolean registered,
      List<Integer> able,
      List<Integer> primaryFor,
      @Nullable About about,
      String why) {
    return new HostFacts(
        new MachineStatus(name, alive, NOW, 0, 0, List.of(1), able, primaryFor, "1", "hash"),
        true,
        stuck,
        registered ? Map.of("recorder:orders", "hash") : Map.of(),
        about == null ? List.of() : List.of(new Condition("orders", about, why, Duration.ZERO)));
  }

  private Facts facts() {
    RecorderStatus status = new RecorderStatus("orders", 1, kind, holder, 1, 1, 0, null, null);
    RecorderFacts orders = new RecorderFacts(status, null, null, null, null, null, paused, null);
    return new Facts(NOW, hosts, row ? List.of(orders) : List.of(), Optional.empty());
  }

  // ---- what is said of it

  private RecorderReloadEffect effect(ChangeKind change) {
    Limits limits = new Limits(Duration.ofMinutes(1), Duration.ofSeconds(4), 2);
    return new ReloadEffects("host-a", activeBefore, Diagnosis.of(facts(), limits))
        .of(List.of(new RecorderChange("orders", change)))
        .get(0);
  }

  private void assertWaits(ChangeKind change, String now) {
    assertThat(effect(change))
        .isEqualTo(new RecorderReloadEffect("orders", change.word(), false, false, now));
  }

  private void assertOver(ChangeKind change, String word, String now) {
    assertThat(effect(change))
        .isEqualTo(new RecorderReloadEffect("orders", word, true, false, now));
  }
}
