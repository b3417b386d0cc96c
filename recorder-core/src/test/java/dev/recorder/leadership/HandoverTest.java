package dev.recorder.leadership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.Term;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HandoverTest {
  private static final int LOCK = 7;
  private static final Set<Integer> IT = Set.of(LOCK);
  private static final Set<Integer> NOTHING = Set.of();

  private final Handover handover = new Handover(Timing.DEFAULT, "me");
  private final SilenceMeasurement silence = new SilenceMeasurement();
  private final Map<String, MachineView> machines = new HashMap<>();
  private long now = Long.MAX_VALUE - Duration.ofSeconds(5).toNanos();
  private RecorderState state = active(false, Failback.AUTO);
  private @Nullable HandoverRequest request;
  private int faults;

  // ---- back to the primary

  @Test
  void aPrimaryGetsItsRecorderBackAfterTenSecondsOfHealth() {
    primary("a");
    assertThat(decide()).isNull();

    pass(Duration.ofMillis(9_999));
    assertThat(decide()).isNull();
    pass(Duration.ofMillis(1));
    assertThat(decide()).isEqualTo(new HandoverRequest("a", HandoverRequest.Why.FAILBACK));
  }

  @Test
  void healthBeginsAnewWhenThePrimaryWasNotAbleInBetween() {
    primary("a");
    decide();
    pass(Duration.ofSeconds(9));
    machine("a", true, NOTHING, IT);
    decide();
    primary("a");
    decide();

    pass(Duration.ofSeconds(9));
    assertThat(decide()).isNull();
    pass(Duration.ofSeconds(1));
    assertThat(decide()).isNotNull();
  }

  @Test
  void aPrimaryWhoseSessionIsGoneIsNotHealthy() {
    machine("a", false, IT, IT);
    decide();
    pass(Duration.ofMinutes(1));

    assertThat(decide()).isNull();
  }

  @Test
  void aPrimaryThatDoesNotBeatIsNotHealthy() {
    primary("a");
    decide();
    for (int read = 0; read < 3; read++) {
      silence.observe("a", 1, now);
    }
    pass(Duration.ofMinutes(1));

    assertThat(decide()).isNull();
  }

  @Test
  void theWaitDoublesWithEachFaultInARowAndEndsAtSixtyFourTimes() {
    assertThat(handover.patience(0)).isEqualTo(Duration.ofSeconds(10));
    assertThat(handover.patience(1)).isEqualTo(Duration.ofSeconds(10));
    assertThat(handover.patience(2)).isEqualTo(Duration.ofSeconds(20));
    assertThat(handover.patience(4)).isEqualTo(Duration.ofSeconds(80));
    assertThat(handover.patience(1_000_000)).isEqualTo(Duration.ofSeconds(640));
  }

  @Test
  void aFaultPutsTheFailbackOff() {
    faults = 3;
    primary("a");
    decide();
    pass(Duration.ofSeconds(39));
    assertThat(decide()).isNull();
    pass(Duration.ofSeconds(1));

    assertThat(decide()).isNotNull();
  }

  @Test
  void aManualRecorderStaysWhereItIs() {
    state = active(false, Failback.MANUAL);
    primary("a");
    decide();
    pass(Duration.ofHours(1));

    assertThat(decide()).isNull();
  }

  @Test
  void whoIsPrimaryKeepsItAlsoBesideASecondPrimary() {
    state = active(true, Failback.AUTO);
    primary("a");
    decide();
    pass(Duration.ofHours(1));

    assertThat(decide()).isNull();
  }

  @Test
  void withNoPrimaryAnywhereNobodyMoves() {
    machine("a", true, IT, NOTHING);
    state.relinquished = true;
    decide();
    pass(Duration.ofHours(1));

    assertThat(decide()).isNull();
  }

  // ---- what operators want

  @Test
  void aFlipActsAtOnceAlsoWhenFailbackIsManual() {
    state = active(false, Failback.MANUAL);
    primary("a");
    request = new HandoverRequest("a", HandoverRequest.Why.FLIP);

    assertThat(decide()).isEqualTo(request);
  }

  @Test
  void aFlipWaitsWhileThisMachineIsPrimaryToo() {
    state = active(true, Failback.AUTO);
    primary("a");
    request = new HandoverRequest("a", HandoverRequest.Why.FLIP);

    assertThat(decide()).isNull();
  }

  @Test
  void whoIsPrimaryNoMoreHandsOverToThePrimaryThereIs() {
    state = active(false, Failback.MANUAL);
    state.relinquished = true;
    primary("a");

    assertThat(decide()).isEqualTo(new HandoverRequest("a", HandoverRequest.Why.FLIP));
  }

  @Test
  void anOperatorMovesItAlsoAwayFromThePrimary() {
    state = active(true, Failback.AUTO);
    machine("b", true, IT, NOTHING);
    request = new HandoverRequest("b", HandoverRequest.Why.OPERATOR);

    assertThat(decide()).isEqualTo(request);
  }

  @Test
  void aRequestForAMachineThatIsNotAbleWaits() {
    machine("b", true, NOTHING, NOTHING);
    request = new HandoverRequest("b", HandoverRequest.Why.OPERATOR);
    assertThat(decide()).isNull();

    machine("b", true, IT, NOTHING);
    assertThat(decide()).isEqualTo(request);
  }

  @Test
  void anActiveMachinesRequestOfATermBeforeIsNotApplied() {
    machine("b", true, IT, NOTHING);
    request = new HandoverRequest("b", HandoverRequest.Why.STUCK);

    assertThat(decide()).isNull();
  }

  // ---- drained

  @Test
  void aDrainedMachineHandsOverToWhoeverIsAbleAlsoIfItIsThePrimary() {
    state = active(true, Failback.MANUAL);
    state.draining = true;
    machine("b", true, NOTHING, NOTHING);
    assertThat(decide()).isNull();

    machine("b", true, IT, NOTHING);
    assertThat(decide()).isEqualTo(new HandoverRequest("b", HandoverRequest.Why.OPERATOR));
  }

  @Test
  void aDrainedMachinePrefersThePrimaryAndElseGivesEachPeerItsShare() {
    state.draining = true;
    machine("b", true, IT, NOTHING);
    machine("c", true, IT, NOTHING);
    assertThat(decide()).isEqualTo(new HandoverRequest("c", HandoverRequest.Why.OPERATOR));
    machine("d", true, IT, NOTHING);
    assertThat(decide()).isEqualTo(new HandoverRequest("c", HandoverRequest.Why.OPERATOR));

    primary("d");
    assertThat(decide()).isEqualTo(new HandoverRequest("d", HandoverRequest.Why.OPERATOR));
  }

  // ---- stuck

  @Test
  void aStuckRecorderGoesToAnAblePeerOnceThatHadTimeToLook() {
    machine("b", true, IT, NOTHING);
    state.stuckSince = now;
    pass(Duration.ofMillis(1_999));
    assertThat(decide()).isNull();

    pass(Duration.ofMillis(1));
    assertThat(decide()).isEqualTo(new HandoverRequest("b", HandoverRequest.Why.STUCK));
  }

  @Test
  void aStuckRecorderStaysWhileNoPeerIsAble() {
    machine("b", true, NOTHING, NOTHING);
    state.stuckSince = now;
    pass(Duration.ofHours(1));

    assertThat(decide()).isNull();
  }

  // ---- short forms

  private @Nullable HandoverRequest decide() {
    RecorderView row = new RecorderView(LOCK, "me", 3, true, request, faults);
    return handover.decide(state, row, new ClusterView(machines, Map.of(LOCK, row)), silence, now);
  }

  private RecorderState active(boolean primary, Failback failback) {
    RecorderState active = new RecorderState(new Candidacy(LOCK, "orders", primary, failback));
    active.begin(new Term(LOCK, 3, "me", new UUID(1, 2)), now);
    return active;
  }

  private void primary(String name) {
    machine(name, true, IT, IT);
  }

  private void machine(String name, boolean alive, Set<Integer> able, Set<Integer> prefers) {
    machines.put(name, new MachineView(name, 1, alive, able, prefers, Set.of()));
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }
}
