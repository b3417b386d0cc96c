package dev.recorder.leadership;

import static dev.recorder.leadership.ControlSessionFixture.INVOICES;
import static dev.recorder.leadership.ControlSessionFixture.ORDERS;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.Term;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What leadership relies on in a {@link ControlSession}, whatever stands behind it. */
public abstract class ControlSessionContract {
  private static final Set<Integer> NONE = Set.of();

  /** Much longer than a test takes. */
  private static final Duration AWAY = Duration.ofHours(1);

  private static final Duration SOON = Duration.ofMinutes(30);

  private ControlSessionFixture fixture;
  private ControlSession a;
  private ControlSession b;

  /** A fixture without machines. */
  protected abstract ControlSessionFixture newFixture();

  @BeforeEach
  void connectTwoMachines() {
    fixture = newFixture();
    a = fixture.process("a", Set.of(ORDERS));
    b = fixture.process("b", NONE);
    awaitConnected(a);
    awaitConnected(b);
  }

  @AfterEach
  void closeTheFixture() {
    fixture.close();
  }

  // ---- being there

  @Test
  protected void aConnectedMachineIsSeenByTheOthers() {
    MachineView seen = machine(b, "a");

    assertThat(seen.sessionAlive()).isTrue();
    assertThat(seen.able()).containsExactly(ORDERS);
    assertThat(seen.prefers()).containsExactly(ORDERS);
    assertThat(machine(a, "b").prefers()).isEmpty();
  }

  @Test
  protected void eachBeatIsSeenAndSaysWhatTheMachineIsAbleToTake() {
    long before = machine(b, "a").beat();

    assertThat(a.perform(new ControlAction.Beat(NONE, Set.of(INVOICES), Set.of())))
        .isEqualTo(new ControlAnswer.Renewed());

    assertThat(machine(b, "a").beat()).isGreaterThan(before);
    assertThat(machine(b, "a").able()).containsExactly(INVOICES);
  }

  @Test
  protected void theBeatGoesOnRisingOnANewSession() {
    beat(a);
    long before = machine(b, "a").beat();

    awaitConnected(a);

    assertThat(machine(b, "a").beat()).isGreaterThan(before);
  }

  @Test
  protected void aSessionThatTheServerEndedIsLost() {
    fixture.endSession("a");

    assertThat(machine(b, "a").sessionAlive()).isFalse();
    assertThat(a.perform(new ControlAction.Beat(NONE, NONE, Set.of())))
        .isInstanceOf(ControlAnswer.SessionLost.class);
    assertThat(a.perform(new ControlAction.Watch())).isInstanceOf(ControlAnswer.SessionLost.class);
    awaitConnected(a);
    assertThat(machine(b, "a").sessionAlive()).isTrue();
  }

  @Test
  protected void aSecondProcessDoesNotGetTheNameWhileTheFirstLives() {
    ControlSession second = fixture.process("a", NONE);

    assertThat(connect(second)).isInstanceOf(ControlAnswer.NameInUse.class);
    assertThat(beat(a)).isEqualTo(new ControlAnswer.Renewed());

    fixture.endSession("a");
    awaitConnected(second);
    assertThat(connect(a)).isInstanceOf(ControlAnswer.NameInUse.class);
  }

  // ---- taking

  @Test
  protected void aRecorderThatNobodyHeldIsTakenWithTheFirstEpoch() {
    ControlAnswer.Taken taken = taken(take(a, null, 0, TakeoverReason.START));

    assertThat(taken.term().lockId()).isEqualTo(ORDERS);
    assertThat(taken.term().epoch()).isEqualTo(1);
    assertThat(taken.term().machine()).isEqualTo("a");
    assertThat(taken.receipt().from()).isNull();
    assertThat(taken.receipt().gap()).isNull();
    assertThat(recorder(b)).isEqualTo(new RecorderView(ORDERS, "a", 1, true, null, 0));
  }

  @Test
  protected void onlyOneMachineTakesARecorder() {
    taken(take(a, null, 0, TakeoverReason.START));

    assertThat(take(b, "a", 1, TakeoverReason.DIED)).isEqualTo(new ControlAnswer.LockHeld());
    assertThat(recorder(b).holder()).isEqualTo("a");
  }

  @Test
  protected void recordersAreTakenOneByOne() {
    taken(take(a, null, 0, TakeoverReason.START));

    ControlAnswer answer =
        b.perform(new ControlAction.Take(INVOICES, null, 0, TakeoverReason.START, "why"));

    assertThat(taken(answer).term().log()).isNotEqualTo(new UUID(0, 0));
    assertThat(recorder(a).holder()).isEqualTo("a");
  }

  @Test
  protected void severalRecordersAreTakenTogetherEachAsItIs() {
    taken(b.perform(new ControlAction.Take(INVOICES, null, 0, TakeoverReason.START, "why")));

    ControlAnswer answer =
        a.perform(
            new ControlAction.TakeSeveral(
                List.of(
                    new ControlAction.Take(INVOICES, "b", 1, TakeoverReason.DIED, "why"),
                    new ControlAction.Take(ORDERS, null, 0, TakeoverReason.START, "why"))));

    assertThat(answer).isInstanceOf(ControlAnswer.TookSeveral.class);
    List<ControlAnswer> answers = ((ControlAnswer.TookSeveral) answer).answers();
    assertThat(answers.get(0)).isEqualTo(new ControlAnswer.LockHeld());
    assertThat(taken(answers.get(1)).term().epoch()).isEqualTo(1);
    assertThat(recorder(b).holder()).isEqualTo("a");
    assertThat(take(b, "a", 1, TakeoverReason.DIED)).isEqualTo(new ControlAnswer.LockHeld());
  }

  @Test
  protected void ofSeveralTheOneThatMovedIsNotTakenAndItsLockIsLetGoOf() {
    ControlAnswer answer =
        a.perform(
            new ControlAction.TakeSeveral(
                List.of(
                    new ControlAction.Take(ORDERS, "b", 7, TakeoverReason.DIED, "why"),
                    new ControlAction.Take(INVOICES, null, 0, TakeoverReason.START, "why"))));

    List<ControlAnswer> answers = ((ControlAnswer.TookSeveral) answer).answers();
    assertThat(answers.get(0)).isEqualTo(new ControlAnswer.Moved());
    taken(answers.get(1));
    taken(take(b, null, 0, TakeoverReason.START));
  }

  @Test
  protected void aJudgementThatIsOutOfDateTakesNothingAndKeepsNoLock() {
    assertThat(take(a, "b", 3, TakeoverReason.DIED)).isEqualTo(new ControlAnswer.Moved());
    assertThat(take(a, null, 3, TakeoverReason.START)).isEqualTo(new ControlAnswer.Moved());
    assertThat(take(a, "b", 0, TakeoverReason.DIED)).isEqualTo(new ControlAnswer.Moved());

    assertThat(taken(take(b, null, 0, TakeoverReason.START)).term().epoch()).isEqualTo(1);
  }

  @Test
  protected void theRecorderOfADeadSessionIsTakenWithTheNextEpoch() {
    Term first = taken(take(a, null, 0, TakeoverReason.START)).term();
    fixture.endSession("a");

    assertThat(recorder(b)).isEqualTo(new RecorderView(ORDERS, "a", 1, false, null, 0));
    ControlAnswer.Taken taken = taken(take(b, "a", 1, TakeoverReason.DIED));

    assertThat(taken.term()).isEqualTo(new Term(ORDERS, 2, "b", first.log()));
    assertThat(taken.receipt().reason()).isEqualTo(TakeoverReason.DIED);
    assertThat(taken.receipt().from()).isEqualTo("a");
    assertThat(taken.receipt().fromEpoch()).isEqualTo(1);
    assertThat(taken.receipt().gap()).isNotNull().isGreaterThanOrEqualTo(Duration.ZERO);
  }

  @Test
  protected void aTermDoesNotComeBackToLifeWithItsMachine() {
    taken(take(a, null, 0, TakeoverReason.START));
    fixture.endSession("a");
    awaitConnected(a);

    assertThat(recorder(b)).isEqualTo(new RecorderView(ORDERS, "a", 1, false, null, 0));
    assertThat(machine(b, "a").sessionAlive()).isTrue();
    assertThat(taken(take(a, "a", 1, TakeoverReason.DIED)).term().epoch()).isEqualTo(2);
  }

  @Test
  protected void whatAMachineBeatsOnANewSessionIsNoSignOfItsFormerTerm() {
    taken(take(a, null, 0, TakeoverReason.START));
    beat(a);
    fixture.pass(AWAY);
    fixture.endSession("a");
    awaitConnected(a);
    beat(a);
    fixture.pass(AWAY);
    awaitConnected(a); // And another, which has no term either.
    beat(a);

    saysThatNobodyWasThereFor(AWAY.multipliedBy(2), take(a, "a", 1, TakeoverReason.DIED));
  }

  @Test
  protected void whatAMachineBeatsOnANewSessionIsNoSignOfItForItsSuccessor() {
    taken(take(a, null, 0, TakeoverReason.START));
    fixture.pass(AWAY);
    fixture.endSession("a");
    awaitConnected(fixture.process("a", NONE));
    fixture.endSession("b");
    awaitConnected(b);

    saysThatNobodyWasThereFor(AWAY, take(b, "a", 1, TakeoverReason.DIED));
  }

  @Test
  protected void theLastBeatCountsOfAMachineThatDoesNotComeBack() {
    taken(take(a, null, 0, TakeoverReason.START));
    fixture.pass(AWAY);
    beat(a);
    fixture.pass(AWAY);
    fixture.endSession("a");
    awaitConnected(fixture.process("a-renamed", NONE));

    saysThatNobodyWasThereFor(AWAY, take(b, "a", 1, TakeoverReason.DIED));
  }

  @Test
  protected void ofOneThatWasReleasedTheReleaseCounts() {
    taken(take(a, null, 0, TakeoverReason.START));
    fixture.pass(AWAY);
    a.perform(new ControlAction.Release(ORDERS, 1, "why", null));

    ControlAnswer.Receipt receipt = taken(take(b, null, 1, TakeoverReason.RELEASED)).receipt();

    assertThat(receipt.silence()).isZero();
    assertThat(receipt.gap()).isLessThan(AWAY);
  }

  private void saysThatNobodyWasThereFor(Duration time, ControlAnswer took) {
    ControlAnswer.Receipt receipt = taken(took).receipt();
    assertThat(receipt.silence()).isBetween(time, time.plus(SOON));
    assertThat(receipt.gap()).isBetween(time, time.plus(SOON));
  }

  @Test
  protected void connectingAgainEndsTheProcessesOwnFormerSession() {
    taken(take(a, null, 0, TakeoverReason.START));

    // As after a cut: the server still has the session that the process has given up.
    awaitConnected(a);

    awaitTaken(b, "a", 1, TakeoverReason.DIED);
  }

  // ---- evicting

  @Test
  protected void aMachineThatHasBeatenSinceItWasJudgedIsNotEvicted() {
    taken(take(a, null, 0, TakeoverReason.START));
    long judged = machine(b, "a").beat();
    beat(a);

    assertThat(b.perform(evict("a", judged))).isEqualTo(new ControlAnswer.Evicted(0));
    assertThat(beat(a)).isEqualTo(new ControlAnswer.Renewed());
    assertThat(recorder(b).termSessionAlive()).isTrue();
  }

  @Test
  protected void aSilentMachineLosesItsSessionAndItsRecorder() {
    taken(take(a, null, 0, TakeoverReason.START));
    long judged = machine(b, "a").beat();

    ControlAnswer answer = b.perform(evict("a", judged));

    assertThat(answer).isInstanceOf(ControlAnswer.Evicted.class);
    assertThat(((ControlAnswer.Evicted) answer).sessions()).isPositive();
    awaitTaken(b, "a", 1, TakeoverReason.SILENT);
    assertThat(beat(a)).isInstanceOf(ControlAnswer.SessionLost.class);
  }

  @Test
  protected void aSuccessorIsNotEvictedForItsPredecessor() {
    taken(take(a, null, 0, TakeoverReason.START));
    long judged = machine(b, "a").beat();
    fixture.endSession("a");
    taken(take(b, "a", 1, TakeoverReason.DIED));

    // A second standby that judged the predecessor at the same time, and is a little slower.
    ControlSession c = fixture.process("c", NONE);
    awaitConnected(c);
    c.perform(evict("a", judged));

    assertThat(beat(b)).isEqualTo(new ControlAnswer.Renewed());
    assertThat(recorder(c)).isEqualTo(new RecorderView(ORDERS, "b", 2, true, null, 1));
  }

  @Test
  protected void whoDoesNotHoldTheRecorderIsNotEvictedForIt() {
    taken(take(a, null, 0, TakeoverReason.START));
    long judged = machine(a, "b").beat();

    a.perform(evict("b", judged));

    assertThat(beat(a)).isEqualTo(new ControlAnswer.Renewed());
    assertThat(recorder(b).termSessionAlive()).isTrue();
  }

  // ---- releasing

  @Test
  protected void aReleasedRecorderHasNoHolderAndCanBeTaken() {
    taken(take(a, null, 0, TakeoverReason.START));

    assertThat(a.perform(new ControlAction.Release(ORDERS, 1, "stop", null)))
        .isEqualTo(new ControlAnswer.Released());

    assertThat(recorder(b)).isEqualTo(new RecorderView(ORDERS, null, 1, false, null, 0));
    ControlAnswer.Taken next = taken(take(b, null, 1, TakeoverReason.RELEASED));
    assertThat(next.term().epoch()).isEqualTo(2);
    assertThat(next.receipt().from()).isEqualTo("a");
  }

  @Test
  protected void releasingATermThatIsOverLeavesItsSuccessorAlone() {
    taken(take(a, null, 0, TakeoverReason.START));
    fixture.endSession("a");
    taken(take(b, "a", 1, TakeoverReason.DIED));
    awaitConnected(a);

    a.perform(new ControlAction.Release(ORDERS, 1, "late", null));

    assertThat(recorder(a)).isEqualTo(new RecorderView(ORDERS, "b", 2, true, null, 1));
    assertThat(take(a, "b", 2, TakeoverReason.DIED)).isEqualTo(new ControlAnswer.LockHeld());
  }

  // ---- handing over

  @Test
  protected void aMachineThatBecomesAPrimaryWhileAnotherIsActiveRequestsTheRecorder() {
    taken(take(a, null, 0, TakeoverReason.START));

    fixture.prefer("b", Set.of(ORDERS));
    assertThat(b.perform(new ControlAction.Register(NONE, Set.of(ORDERS))))
        .isEqualTo(new ControlAnswer.Registered());

    assertThat(machine(a, "b").prefers()).containsExactly(ORDERS);
    assertThat(recorder(a).request()).isEqualTo(new HandoverRequest("b", HandoverRequest.Why.FLIP));
  }

  @Test
  protected void aFlipIsAlsoToldWhenTheMachineWasStartedAgainForIt() {
    taken(take(a, null, 0, TakeoverReason.START));
    fixture.prefer("b", Set.of(ORDERS));

    awaitConnected(b);

    assertThat(recorder(a).request()).isEqualTo(new HandoverRequest("b", HandoverRequest.Why.FLIP));
  }

  @Test
  protected void theMereReturnOfAPrimaryIsNoRequest() {
    fixture.endSession("a");
    taken(take(b, null, 0, TakeoverReason.START));

    awaitConnected(a);

    assertThat(recorder(a).request()).isNull();
  }

  @Test
  protected void aMachineThatIsPrimaryNoMoreTakesItsRequestBack() {
    taken(take(a, null, 0, TakeoverReason.START));
    fixture.prefer("b", Set.of(ORDERS));
    b.perform(new ControlAction.Register(NONE, NONE));

    fixture.prefer("b", NONE);
    b.perform(new ControlAction.Register(NONE, NONE));

    assertThat(recorder(a).request()).isNull();
  }

  @Test
  protected void whoBecomesPrimaryOfWhatItIsActiveForRequestsNothing() {
    taken(take(b, null, 0, TakeoverReason.START));
    fixture.prefer("b", Set.of(ORDERS));

    b.perform(new ControlAction.Register(Set.of(ORDERS), NONE));

    assertThat(recorder(a).request()).isNull();
  }

  @Test
  protected void anAnnouncementIsSeenByTheMachineItNames() {
    taken(take(a, null, 0, TakeoverReason.START));
    HandoverRequest request = new HandoverRequest("b", HandoverRequest.Why.FAILBACK);

    assertThat(a.perform(new ControlAction.Announce(ORDERS, 1, request)))
        .isEqualTo(new ControlAnswer.Announced());

    assertThat(recorder(b).request()).isEqualTo(request);
  }

  @Test
  protected void anAnnouncementOfATermThatIsOverChangesNothing() {
    taken(take(a, null, 0, TakeoverReason.START));

    a.perform(
        new ControlAction.Announce(
            ORDERS, 7, new HandoverRequest("b", HandoverRequest.Why.FAILBACK)));
    b.perform(
        new ControlAction.Announce(
            ORDERS, 1, new HandoverRequest("b", HandoverRequest.Why.FAILBACK)));

    assertThat(recorder(b).request()).isNull();
  }

  @Test
  protected void aRecorderIsReleasedToAMachineAndTheRequestEndsWithItsTerm() {
    taken(take(a, null, 0, TakeoverReason.START));
    HandoverRequest request = new HandoverRequest("b", HandoverRequest.Why.STUCK);

    a.perform(new ControlAction.Release(ORDERS, 1, "stuck", request));

    assertThat(recorder(b)).isEqualTo(new RecorderView(ORDERS, null, 1, false, request, 0));
    ControlAnswer.Taken taken = taken(take(b, null, 1, TakeoverReason.STUCK));
    assertThat(taken.receipt().reason()).isEqualTo(TakeoverReason.STUCK);
    assertThat(recorder(a)).isEqualTo(new RecorderView(ORDERS, "b", 2, true, null, 1));
  }

  // ---- an operator's order to hand over

  @Test
  protected void anOrderIsAcceptedOnceByWhoHasTheRecorder() {
    taken(take(a, null, 0, TakeoverReason.START));
    fixture.order("b", false);
    HandoverRequest request = new HandoverRequest("b", HandoverRequest.Why.OPERATOR);
    assertThat(recorder(a).request()).isEqualTo(request);

    assertThat(a.perform(new ControlAction.Accept(ORDERS, 1, request)))
        .isEqualTo(new ControlAnswer.Accepted());
    assertThat(recorder(b).request()).isEqualTo(request);
    assertThat(a.perform(new ControlAction.Accept(ORDERS, 1, request)))
        .isEqualTo(new ControlAnswer.Withdrawn());
  }

  @Test
  protected void anOrderThatWasWithdrawnIsNotAcceptedAndItsRequestIsForgotten() {
    taken(take(a, null, 0, TakeoverReason.START));
    fixture.order("b", true);

    ControlAnswer answer =
        a.perform(
            new ControlAction.Accept(
                ORDERS, 1, new HandoverRequest("b", HandoverRequest.Why.OPERATOR)));

    assertThat(answer).isEqualTo(new ControlAnswer.Withdrawn());
    assertThat(recorder(a).request()).isNull();
  }

  @Test
  protected void anOrderIsNotAcceptedForATermThatIsOver() {
    taken(take(a, null, 0, TakeoverReason.START));
    fixture.order("b", false);

    HandoverRequest request = new HandoverRequest("b", HandoverRequest.Why.OPERATOR);

    assertThat(a.perform(new ControlAction.Accept(ORDERS, 7, request)))
        .isEqualTo(new ControlAnswer.Withdrawn());
    assertThat(recorder(a).request()).isEqualTo(request);
  }

  @Test
  protected void anOrderThatNobodyAcceptedEndsWithTheTerm() {
    taken(take(a, null, 0, TakeoverReason.START));
    fixture.order("b", false);

    a.perform(new ControlAction.Release(ORDERS, 1, "stopping", null));

    assertThat(recorder(b).request()).isNull();
  }

  @Test
  protected void aGracefulHandOverIsNoFault() {
    taken(take(a, null, 0, TakeoverReason.START));
    a.perform(
        new ControlAction.Release(
            ORDERS, 1, "failback", new HandoverRequest("b", HandoverRequest.Why.FAILBACK)));
    taken(take(b, null, 1, TakeoverReason.FAILBACK));

    assertThat(recorder(a).faults()).isZero();
  }

  @Test
  protected void whatTheNamedMachineDidNotTakeCountsAsAFault() {
    taken(take(a, null, 0, TakeoverReason.START));
    a.perform(
        new ControlAction.Release(
            ORDERS, 1, "failback", new HandoverRequest("b", HandoverRequest.Why.FAILBACK)));
    taken(take(a, null, 1, TakeoverReason.RELEASED));

    assertThat(recorder(a)).isEqualTo(new RecorderView(ORDERS, "a", 2, true, null, 1));
  }

  @Test
  protected void anOperatorsRequestOutlivesAFaultThatComesInBetween() {
    taken(take(a, null, 0, TakeoverReason.START));
    fixture.prefer("b", Set.of(ORDERS));
    b.perform(new ControlAction.Register(NONE, NONE));
    fixture.endSession("a");
    ControlSession c = fixture.process("c", NONE);
    awaitConnected(c);

    taken(take(c, "a", 1, TakeoverReason.DIED));

    assertThat(recorder(c).request()).isEqualTo(new HandoverRequest("b", HandoverRequest.Why.FLIP));
  }

  @Test
  protected void aBeatSaysWhatItsMachineIsStuckWith() {
    a.perform(new ControlAction.Beat(Set.of(ORDERS), NONE, Set.of(ORDERS)));
    assertThat(machine(b, "a").stuck()).containsExactly(ORDERS);

    a.perform(new ControlAction.Register(Set.of(ORDERS), NONE));
    assertThat(machine(b, "a").stuck()).as("after a reload").containsExactly(ORDERS);

    beat(a);
    assertThat(machine(b, "a").stuck()).isEmpty();
  }

  // ---- short forms

  private static ControlAnswer connect(ControlSession session) {
    return session.perform(new ControlAction.Connect(Set.of(ORDERS)));
  }

  /** A former session has the name until it has ended; its machine tries again. */
  private static void awaitConnected(ControlSession session) {
    await()
        .pollDelay(Duration.ZERO)
        .until(() -> connect(session) instanceof ControlAnswer.Connected);
  }

  private static ControlAnswer beat(ControlSession session) {
    return session.perform(new ControlAction.Beat(NONE, Set.of(ORDERS), Set.of()));
  }

  private static ClusterView watch(ControlSession session) {
    ControlAnswer answer = session.perform(new ControlAction.Watch());
    assertThat(answer).isInstanceOf(ControlAnswer.Seen.class);
    return ((ControlAnswer.Seen) answer).view();
  }

  private static MachineView machine(ControlSession watcher, String name) {
    MachineView machine = watch(watcher).machine(name);
    assertThat(machine).isNotNull();
    return machine;
  }

  private static RecorderView recorder(ControlSession watcher) {
    RecorderView recorder = watch(watcher).recorders().get(ORDERS);
    assertThat(recorder).isNotNull();
    return recorder;
  }

  /** Of the recorder of orders. */
  private static ControlAction evict(String holder, long judgedBeat) {
    return new ControlAction.Evict(holder, judgedBeat, ORDERS);
  }

  private static ControlAnswer take(
      ControlSession session, @Nullable String holder, long epoch, TakeoverReason reason) {
    return session.perform(new ControlAction.Take(ORDERS, holder, epoch, reason, "why"));
  }

  private static ControlAnswer.Taken taken(ControlAnswer answer) {
    assertThat(answer).isInstanceOf(ControlAnswer.Taken.class);
    return (ControlAnswer.Taken) answer;
  }

  /** A session that was told to end takes a moment to do so; until then its lock is held. */
  private static void awaitTaken(
      ControlSession session, String holder, long epoch, TakeoverReason reason) {
    await()
        .until(() -> take(session, holder, epoch, reason), ControlAnswer.Taken.class::isInstance);
  }
}
