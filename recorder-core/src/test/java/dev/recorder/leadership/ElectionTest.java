package dev.recorder.leadership;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ElectionTest {
  private static final int LOCK = 7;
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final Candidacy PRIMARY = new Candidacy(LOCK, "orders", true, Failback.AUTO);
  private static final Candidacy SECONDARY = new Candidacy(LOCK, "orders", false, Failback.AUTO);

  private final Election election = new Election(Timing.DEFAULT, "me");
  private final SilenceMeasurement silence = new SilenceMeasurement();
  private final Map<String, MachineView> machines = new HashMap<>();
  private @Nullable String unable;
  private Duration vacantFor = Duration.ZERO;

  // ---- what nobody holds

  @Test
  void aPrimaryTakesWhatNobodyEverHeld() {
    assertThat(decide(PRIMARY, vacant(0)))
        .isEqualTo(
            take(TakeoverReason.START, "it never had an active host and this host is its primary"));
  }

  @Test
  void aPrimaryTakesWhatWasReleased() {
    assertThat(decide(PRIMARY, vacant(3)))
        .isEqualTo(take(TakeoverReason.RELEASED, "it was released and this host is its primary"));
  }

  @Test
  void aSecondaryLeavesWhatIsVacantToALivingPrimary() {
    machine("a", true, Set.of(LOCK), Set.of(LOCK));

    assertThat(decide(SECONDARY, vacant(3)))
        .isEqualTo(Decision.stay("it was released and is left to its primary a"));
  }

  @Test
  void aSecondaryTakesWhatItsPrimaryDoesNotTakeInTime() {
    machine("a", true, Set.of(LOCK), Set.of(LOCK));
    vacantFor = Duration.ofSeconds(2);

    assertThat(decide(SECONDARY, vacant(3)))
        .isEqualTo(
            take(
                TakeoverReason.RELEASED,
                "it was released and its primary a did not take it in 2000 ms"));
  }

  @Test
  void aSecondaryTakesAtOnceWhatHasNoPrimary() {
    machine("b", true, Set.of(LOCK), Set.of());

    assertThat(decide(SECONDARY, vacant(3)))
        .isEqualTo(
            take(TakeoverReason.RELEASED, "it was released and no primary is there to take it"));
  }

  @Test
  void aPrimaryWithoutASessionIsNotWaitedFor() {
    machine("a", false, Set.of(LOCK), Set.of(LOCK));

    assertThat(decide(SECONDARY, vacant(3)).reason()).isEqualTo(TakeoverReason.RELEASED);
  }

  @Test
  void aPrimaryThatIsNotAbleIsNotWaitedFor() {
    machine("a", true, Set.of(), Set.of(LOCK));

    assertThat(decide(SECONDARY, vacant(3)).reason()).isEqualTo(TakeoverReason.RELEASED);
  }

  @Test
  void atTheVeryFirstStartAPrimaryThatStillChecksItsStoreIsWaitedFor() {
    machine("a", true, Set.of(), Set.of(LOCK));

    assertThat(decide(SECONDARY, vacant(0)))
        .isEqualTo(Decision.stay("it never had an active host and is left to its primary a"));
  }

  @Test
  void aSilentPrimaryIsNotWaitedFor() {
    machine("a", true, Set.of(LOCK), Set.of(LOCK));
    silentFor("a", Duration.ofSeconds(2));

    assertThat(decide(SECONDARY, vacant(3)).reason()).isEqualTo(TakeoverReason.RELEASED);
  }

  @Test
  void theFirstTermIsAStartThoughAnOperatorRequestedThisMachine() {
    HandoverRequest flip = new HandoverRequest("me", HandoverRequest.Why.FLIP);

    assertThat(decide(PRIMARY, requested(0, flip)))
        .isEqualTo(
            take(
                TakeoverReason.START,
                "it never had an active host and an operator made me its primary"));
    assertThat(decide(PRIMARY, requested(3, flip)))
        .isEqualTo(take(TakeoverReason.SWITCHOVER, "an operator made me its primary"));
  }

  @Test
  void whatIsLeftToAnotherIsSaidToHaveBeenReleasedOnlyIfItWas() {
    machine("a", true, Set.of(LOCK), Set.of(LOCK));
    HandoverRequest flip = new HandoverRequest("a", HandoverRequest.Why.FLIP);

    assertThat(decide(SECONDARY, requested(0, flip)).why())
        .isEqualTo("it never had an active host and is left to a: an operator made a its primary");
    assertThat(decide(SECONDARY, requested(3, flip)).why())
        .isEqualTo("it was released and is left to a: an operator made a its primary");
  }

  // ---- what somebody holds

  @Test
  void whatIsHeldByALivingMachineIsLeftAlone() {
    machine("a", true, Set.of(LOCK), Set.of());

    assertThat(decide(PRIMARY, held("a", true))).isEqualTo(Decision.stay("a is active and beats"));
  }

  @Test
  void whatADeadSessionHeldIsTakenAtOnceByAnyStandby() {
    machine("a", true, Set.of(LOCK), Set.of(LOCK));

    assertThat(decide(SECONDARY, held("a", false)))
        .isEqualTo(take(TakeoverReason.DIED, "the session of a that held it is gone"));
  }

  @Test
  void whatMyOwnDeadSessionHeldIsTakenAgain() {
    assertThat(decide(SECONDARY, held("me", false)))
        .isEqualTo(
            take(TakeoverReason.DIED, "this host's own former session that held it is gone"));
  }

  @Test
  void myOwnFormerSessionIsWaitedForHoweverSilent() {
    silentFor("me", Duration.ofSeconds(60));

    assertThat(decide(SECONDARY, held("me", true)))
        .isEqualTo(Decision.stay("this host's own former session that held it has not ended yet"));
  }

  @Test
  void aHolderIsEvictedAfterItsSilenceAndNotBefore() {
    machine("a", true, Set.of(LOCK), Set.of());
    silentFor("a", Duration.ofMillis(1_999));
    assertThat(decide(SECONDARY, held("a", true)))
        .isEqualTo(Decision.stay("a is active and beats"));

    silence.forget();
    silentFor("a", Duration.ofSeconds(2));
    assertThat(decide(SECONDARY, held("a", true)))
        .isEqualTo(Decision.evictAndTake("a has been silent for 2000 ms"));
  }

  // ---- who may not

  @Test
  void whoIsNotAbleTakesNothing() {
    unable = "object orders/_log.json is missing";

    assertThat(decide(PRIMARY, vacant(0)))
        .isEqualTo(Decision.stay("not able to take it: object orders/_log.json is missing"));
    assertThat(decide(PRIMARY, held("a", false)).reason()).isNull();
  }

  @Test
  void aRecorderWithoutARowIsNotTaken() {
    ClusterView nothing = new ClusterView(machines, Map.of());

    assertThat(election.decide(PRIMARY, null, nothing, vacantFor, silence, 60 * SECOND).reason())
        .isNull();
  }

  // ---- short forms

  private Decision decide(Candidacy candidacy, RecorderView recorder) {
    ClusterView view = new ClusterView(machines, Map.of(LOCK, recorder));
    return election.decide(candidacy, unable, view, vacantFor, silence, 60 * SECOND);
  }

  private void machine(String name, boolean alive, Set<Integer> able, Set<Integer> prefers) {
    machines.put(name, new MachineView(name, 1, alive, able, prefers, Set.of()));
  }

  private void silentFor(String name, Duration duration) {
    for (int read = 0; read < 3; read++) {
      silence.observe(name, 1, 60 * SECOND - duration.toNanos());
    }
  }

  private static RecorderView vacant(long epoch) {
    return new RecorderView(LOCK, null, epoch, false, null, 0);
  }

  private static RecorderView requested(long epoch, HandoverRequest request) {
    return new RecorderView(LOCK, null, epoch, false, request, 0);
  }

  private static RecorderView held(String holder, boolean alive) {
    return new RecorderView(LOCK, holder, 3, alive, null, 0);
  }

  private static Decision take(TakeoverReason reason, String why) {
    return Decision.take(reason, why);
  }
}
