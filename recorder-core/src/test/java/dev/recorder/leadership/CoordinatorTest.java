package dev.recorder.leadership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CoordinatorTest {
  private static final int LOCK = 7;
  private static final long MILLI = 1_000_000;
  private static final UUID LOG = new UUID(1, 2);

  /** Soon to overflow, as monotonic time may. */
  private long now = Long.MAX_VALUE - 1_000 * MILLI;

  private final WriteLease lease = new WriteLease(() -> now);
  private final List<Signal> signals = new ArrayList<>();
  private final List<ControlAction.Beat> beats = new ArrayList<>();
  private final Map<String, MachineView> machines = new HashMap<>();
  private Coordinator coordinator;

  @BeforeEach
  void createAPrimary() {
    coordinator = coordinator(true);
  }

  private Coordinator coordinator(boolean primary) {
    return new Coordinator(
        "me",
        Timing.DEFAULT,
        List.of(new Candidacy(LOCK, "orders", primary, Failback.AUTO)),
        lease,
        now);
  }

  // ---- connecting

  @Test
  void connectsFirst() {
    assertThat(next()).isEqualTo(new ControlAction.Connect(Set.of()));
  }

  @Test
  void aConnectionCountsFromBeforeItWasAskedFor() {
    long sentAt = now;
    ControlAction connect = next();
    pass(400);
    answer(connect, sentAt, new ControlAnswer.Connected(17));

    assertThat(signals).containsExactly(new Signal.Up(17));
    assertThat(coordinator.isConnected()).isTrue();
    pass(1_099);
    assertThat(lease.isAlive()).isTrue();
    pass(1);
    assertThat(lease.isAlive()).isFalse();
  }

  @Test
  void triesAgainLaterAndLater() {
    for (long wait : new long[] {50, 100, 200, 400, 800, 1_600, 2_000, 2_000}) {
      answer(new ControlAnswer.SessionLost("refused"));
      assertThat(restMillis()).isEqualTo(wait);
      pass(wait);
      assertThat(next()).isInstanceOf(ControlAction.Connect.class);
    }
    assertThat(signals).hasSize(8).allMatch(Signal.Unreachable.class::isInstance);
  }

  @Test
  void triesSoonAgainAfterAConnectionThatHeld() {
    answer(new ControlAnswer.SessionLost("refused"));
    pass(50);
    connect();
    answer(new ControlAnswer.SessionLost("reset"));

    assertThat(restMillis()).isEqualTo(50);
  }

  @Test
  void waitsForItsNameAndSaysSo() {
    answer(new ControlAnswer.NameInUse("another process"));

    assertThat(signals).containsExactly(new Signal.NameTaken("another process"));
    assertThat(restMillis()).isEqualTo(50);
  }

  // ---- the heartbeat and the lease

  @Test
  void whoHasSomethingLockedThatAStartNeedsIsToldOfAndWaitedFor() {
    for (int pause : List.of(0, 50, 100)) {
      assertThat(signals).isEmpty();
      pass(pause);
      answer(new ControlAnswer.Busy("a lock"));
    }

    assertThat(signals).containsExactly(new Signal.Blocked("a lock"));
    assertThat(restMillis()).isEqualTo(200);
    pass(200);
    connect();
  }

  @Test
  void looksAroundAtOnceAndThenEveryFiftyMilliseconds() {
    connect();
    assertThat(next()).isEqualTo(new ControlAction.Watch());
    watch(vacant(1));

    assertThat(restMillis()).isEqualTo(50);
    pass(50);
    assertThat(next()).isEqualTo(new ControlAction.Watch());
  }

  @Test
  void whoHasNoRecorderToTakeOverLooksAroundWithEachHeartbeatOnly() {
    coordinator = new Coordinator("me", Timing.DEFAULT, List.of(), lease, now);
    connect();
    watch(vacant(1));
    pass(499);
    assertThat(next()).isInstanceOf(ControlAction.Rest.class);
    pass(1);
    assertThat(next()).isInstanceOf(ControlAction.Beat.class);
    answer(new ControlAnswer.Renewed());
    assertThat(next()).isEqualTo(new ControlAction.Watch());
    watch(vacant(1));

    coordinator.reconfigure(List.of(new Candidacy(LOCK, "orders", true, Failback.AUTO)), now);
    answer(new ControlAnswer.Registered());
    assertThat(next()).isEqualTo(new ControlAction.Watch());
  }

  @Test
  void ofAPeerThatMayHaveEndedItSeesAtOnceAndCloselyForAMoment() {
    connect();
    machine("other", 1);
    watch(held("other", 1, true));
    pass(1);
    coordinator.peerMayHaveEnded(now);
    for (int look = 0; look < 20; look++) {
      watch(held("other", 1, true));
      assertThat(restMillis()).isEqualTo(5);
      pass(5);
    }
    watch(held("other", 1, true));
    assertThat(restMillis()).isEqualTo(50);
  }

  @Test
  void itsPeerIsWhoHoldsWhatItStandsByForAndIsSeenToLive() {
    connect();
    assertThat(coordinator.peer()).isEmpty();
    watch(vacant(1));
    assertThat(coordinator.peer()).isEmpty();
    pass(50);
    machine("other", 1);
    watch(held("other", 1, true));
    assertThat(coordinator.peer()).isEqualTo("other");
    pass(50);
    watch(held("other", 1, false));
    assertThat(coordinator.peer()).isEmpty();
    pass(50);
    watch(held("other", 1, true));
    answer(new ControlAnswer.SessionLost("reset"));
    assertThat(coordinator.peer()).isEmpty();
  }

  @Test
  void beatsBeforeItLooks() {
    connect();
    pass(500);

    assertThat(next()).isInstanceOf(ControlAction.Beat.class);
    answer(new ControlAnswer.Renewed());
    assertThat(next()).isInstanceOf(ControlAction.Watch.class);
  }

  @Test
  void whoIsActiveForAllLooksAroundWithEachHeartbeatUntilItLetsGoOfOne() {
    Term term = becomeActive(1);
    watchAfter50(held("me", 1, true));
    pass(restMillis());
    assertThat(next()).isInstanceOf(ControlAction.Beat.class);
    answer(new ControlAnswer.Renewed());
    watch(held("me", 1, true));
    assertThat(restMillis()).isEqualTo(500);
    coordinator.release(LOCK, term.epoch(), "asked to stop");
    answer(nextAfterBeats(), now, new ControlAnswer.Released());

    assertThat(restMillis()).isEqualTo(50);
  }

  @Test
  void whoIsActiveForOneOfTwoLooksAroundAsOftenAsEver() {
    coordinator = coordinatorOfTwo();
    connectAble();
    watchBoth(true);
    answer(
        new ControlAction.Take(LOCK, "b", 4, TakeoverReason.DIED, "why"),
        now,
        new ControlAnswer.Taken(new Term(LOCK, 5, "me", LOG), receipt()));
    pass(50);
    nextAfterBeats();
    watchOf(Map.of(LOCK, held("me", 5, true), 8, held("b", 1, true)));

    assertThat(restMillis()).isEqualTo(50);
  }

  @Test
  void aBeatExtendsTheLeaseFromBeforeItWasSent() {
    connect();
    pass(500);
    long sentAt = now;
    ControlAction beat = next();
    pass(300);
    answer(beat, sentAt, new ControlAnswer.Renewed());

    pass(1_199);
    assertThat(lease.isAlive()).isTrue();
    pass(1);
    assertThat(lease.isAlive()).isFalse();
  }

  @Test
  void aBeatWhoseAnswerComesTooLateRevivesNoLease() {
    connect();
    pass(500);
    long sentAt = now;
    ControlAction beat = next();
    pass(1_600);
    answer(beat, sentAt, new ControlAnswer.Renewed());

    assertThat(lease.isAlive()).isFalse();
  }

  @Test
  void aBeatThatIsBusyIsRepeatedSoonAndExtendsNothing() {
    connect();
    pass(500);
    answer(new ControlAnswer.Busy("lock time-out"));

    pass(10);
    assertThat(next()).isInstanceOf(ControlAction.Beat.class);
    pass(989);
    assertThat(lease.isAlive()).isTrue();
    pass(1);
    assertThat(lease.isAlive()).isFalse();
  }

  @Test
  void aBeatThatTakesLongerThanItsIntervalDoesNotStarveTheWatch() {
    connect();
    pass(500);
    long sentAt = now;
    ControlAction beat = next();
    pass(700);
    answer(beat, sentAt, new ControlAnswer.Renewed());

    assertThat(next()).isInstanceOf(ControlAction.Watch.class);
  }

  @Test
  void aBeatTellsWhatTheMachineHoldsAndCouldTake() {
    becomeActive(1);
    answer(new ControlAnswer.Renewed());
    pass(500);

    assertThat(next()).isEqualTo(new ControlAction.Beat(Set.of(LOCK), Set.of(LOCK), Set.of()));
  }

  @Test
  void newsOfWhatItCanTakeAreToldAtOnce() {
    connect();
    watch(vacant(0));

    coordinator.setUnable(LOCK, null, now);

    assertThat(next()).isEqualTo(new ControlAction.Beat(Set.of(), Set.of(LOCK), Set.of()));
    answer(new ControlAnswer.Renewed());
    assertThat(next()).isInstanceOf(ControlAction.Watch.class);
  }

  // ---- taking

  @Test
  void takesWhatItMayAndBeginsATerm() {
    Term term = becomeActive(1);

    assertThat(signals).last().isEqualTo(new Signal.TermBegun(term, receipt()));
    assertThat(coordinator.holdsAny()).isTrue();
    // The others learn of it soon; terms that begin together share a beat.
    assertThat(next()).isInstanceOf(ControlAction.Rest.class);
    pass(50);
    assertThat(next()).isEqualTo(new ControlAction.Beat(Set.of(LOCK), Set.of(LOCK), Set.of()));
  }

  @Test
  void isNotAbleBeforeItHasCheckedItsStore() {
    connect();
    watch(vacant(0));

    assertThat(signals)
        .last()
        .isEqualTo(new Signal.StandingBy(LOCK, "not able to take it: testing database and store"));
    assertThat(next()).isInstanceOf(ControlAction.Rest.class);
  }

  @Test
  void sentencesAreToldOnceUntilTheyChange() {
    connect();
    watch(vacant(0));
    signals.clear();
    pass(50);
    watch(vacant(0));
    assertThat(signals).isEmpty();

    coordinator.setUnable(LOCK, "the bucket is missing", now);
    pass(50);
    watch(vacant(0));
    assertThat(signals)
        .containsExactly(new Signal.StandingBy(LOCK, "not able to take it: the bucket is missing"));
  }

  @Test
  void looksAgainSoonIfTheLockIsStillHeldOrTheRowHasMoved() {
    for (ControlAnswer answer : List.of(new ControlAnswer.LockHeld(), new ControlAnswer.Moved())) {
      createAPrimary();
      connectAble();
      watch(vacant(0));
      answer(answer);

      assertThat(restMillis()).isEqualTo(10);
      assertThat(coordinator.holdsAny()).isFalse();
    }
  }

  @Test
  void whoHasTheRowOfADeadHolderLockedIsToldOf() {
    connectAble();
    machine("b", 9);
    for (int i = 0; i < 3; i++) {
      assertThat(signals).noneMatch(Signal.Blocked.class::isInstance);
      watch(held("b", 4, false));
      answer(new ControlAnswer.Busy("a lock"));
      assertThat(restMillis()).isEqualTo(10);
      pass(10);
    }

    assertThat(signals).contains(new Signal.Blocked("a lock"));
  }

  @Test
  void aNewLookReplacesADecisionThatWasNotCarriedOut() {
    connectAble();
    watch(vacant(0));
    pass(500);
    // The decision waits behind the beat, and meanwhile somebody else was quicker.
    answer(new ControlAnswer.Renewed());
    answerWatch(held("b", 1, true), now);

    assertThat(next()).isInstanceOf(ControlAction.Rest.class);
  }

  @Test
  void takesWhatADeadSessionHeldNamingWhatItSaw() {
    connectAble();
    watch(held("b", 4, false));

    assertThat(next())
        .isEqualTo(
            new ControlAction.Take(
                LOCK, "b", 4, TakeoverReason.DIED, "the session of b that held it is gone"));
  }

  @Test
  void evictsASilentHolderByTheBeatItJudgedAndThenTakes() {
    connectAndFindSilent();

    ControlAction evict = next();
    ControlAction.Take take =
        new ControlAction.Take(
            LOCK, "b", 4, TakeoverReason.SILENT, "b has been silent for 2000 ms");
    assertThat(evict).isEqualTo(new ControlAction.Evict("b", 9, LOCK));
    answer(evict, now, new ControlAnswer.Evicted(0));
    assertThat(next()).isEqualTo(take);
  }

  @Test
  void whatIsRemovedWhileItsHolderIsEvictedIsNotTaken() {
    connectAndFindSilent();
    ControlAction evict = next();
    coordinator.reconfigure(List.of(), now);

    answer(evict, now, new ControlAnswer.Evicted(0));

    assertThat(nextAfterBeats()).isInstanceOf(ControlAction.Register.class);
  }

  @Test
  void whoStopsWhileItEvictsTakesNothing() {
    connectAndFindSilent();
    ControlAction evict = next();
    coordinator.stop();

    answer(evict, now, new ControlAnswer.Evicted(0));

    assertThat(nextAfterBeats()).isNotInstanceOf(ControlAction.Take.class);
  }

  @Test
  void takesAllThatAnEvictedMachineHeldTogetherAMomentLater() {
    coordinator = coordinatorOfTwo();
    connectAble();
    machine("b", 9);
    for (long passed = 0; passed <= 2_000; passed += 50) {
      watchBoth(true);
      pass(50);
    }
    answer(nextAfterBeats(), now, new ControlAnswer.Evicted(2));

    assertThat(restMillis()).isEqualTo(5);
    pass(5);
    assertThat(((ControlAction.TakeSeveral) next()).takes())
        .extracting(ControlAction.Take::lockId)
        .containsExactly(LOCK, 8);
  }

  @Test
  void evictsAHolderForWhatIsLeftIfARecorderThatItHeldIsRemoved() {
    coordinator = coordinatorOfTwo();
    connectAble();
    machine("b", 9);
    for (long passed = 0; passed <= 2_000; passed += 50) {
      watchBoth(true);
      pass(50);
    }
    coordinator.reconfigure(List.of(new Candidacy(8, "invoices", false, Failback.AUTO)), now);
    answer(nextAfterBeats(), now, new ControlAnswer.Registered());

    ControlAction evict = nextAfterBeats();
    assertThat(evict).isEqualTo(new ControlAction.Evict("b", 9, 8));
    answer(evict, now, new ControlAnswer.Evicted(0));
    assertThat(((ControlAction.Take) nextAfterBeats()).lockId()).isEqualTo(8);
  }

  @Test
  void takesAlsoIfItCannotBeToldWhetherTheHolderWasEvicted() {
    connectAndFindSilent();
    answer(new ControlAnswer.Busy("statement timeout"));

    assertThat(next()).isInstanceOf(ControlAction.Take.class);
  }

  @Test
  void takesSeveralRecordersOfADeadHolderAtOnce() {
    coordinator = coordinatorOfTwo();
    connectAble();
    machine("b", 9);
    watchBoth(false);

    ControlAction several = next();
    assertThat(several).isInstanceOf(ControlAction.TakeSeveral.class);
    assertThat(((ControlAction.TakeSeveral) several).takes())
        .extracting(ControlAction.Take::lockId)
        .containsExactly(LOCK, 8);
    Term term = new Term(LOCK, 5, "me", LOG);
    answer(
        several,
        now,
        new ControlAnswer.TookSeveral(
            List.of(new ControlAnswer.Taken(term, receipt()), new ControlAnswer.LockHeld())));
    assertThat(signals).contains(new Signal.TermBegun(term, receipt()));
    assertThat(restMillis()).isEqualTo(10);
  }

  @Test
  void takesThemOneByOneWhenOneOfThemKeptTheOthersBack() {
    coordinator = coordinatorOfTwo();
    connectAble();
    machine("b", 9);
    watchBoth(false);
    answer(new ControlAnswer.Busy("lock timeout"));
    pass(10);
    watchBoth(false);

    assertThat(next()).isInstanceOf(ControlAction.Take.class);
    assertThat(next()).isInstanceOf(ControlAction.Take.class);
  }

  private Coordinator coordinatorOfTwo() {
    Coordinator two =
        new Coordinator(
            "me",
            Timing.DEFAULT,
            List.of(
                new Candidacy(LOCK, "orders", false, Failback.AUTO),
                new Candidacy(8, "invoices", false, Failback.AUTO)),
            lease,
            now);
    two.setUnable(8, null, now);
    return two;
  }

  private void watchBoth(boolean alive) {
    watchOf(Map.of(LOCK, held("b", 4, alive), 8, new RecorderView(8, "b", 3, alive, null, 0)));
  }

  @Test
  void anEvictedHolderIsCalledSilentEvenIfItsSessionTakesAMomentToEnd() {
    connectAndFindSilent();
    answer(new ControlAnswer.Evicted(2));
    pass(5);
    answer(new ControlAnswer.LockHeld());
    pass(5);
    watch(held("b", 4, false));

    assertThat(next())
        .isEqualTo(
            new ControlAction.Take(
                LOCK, "b", 4, TakeoverReason.SILENT, "b was silent and has been evicted"));
  }

  @Test
  void aPauseOfItsOwnIsNoSilenceOfOthers() {
    connectAble();
    machine("b", 9);
    stayingSilent(400, held("b", 4, true));
    pass(50);
    ControlAction watch = nextAfterBeats();
    assertThat(watch).isInstanceOf(ControlAction.Watch.class);
    long sentAt = now;
    pass(5_000); // stopped, with the answer waiting for it
    signals.clear();
    answer(watch, sentAt, new ControlAnswer.Seen(view(held("b", 4, true))));

    assertThat(nextAfterBeats()).isNotInstanceOf(ControlAction.Evict.class);
  }

  @Test
  void silenceCountsAnewOnANewSession() {
    connectAble();
    machine("b", 9);
    stayingSilent(1_900, held("b", 4, true));
    pass(50);
    answer(new ControlAnswer.SessionLost("reset"));
    pass(50);
    connect();
    for (int look = 0; look < 5; look++) {
      watch(held("b", 4, true));
      pass(50);
    }

    assertThat(nextAfterBeats()).isNotInstanceOf(ControlAction.Evict.class);
  }

  @Test
  void aSecondaryGivesThePrimaryTimeToTakeWhatWasReleased() {
    coordinator = coordinator(false);
    connectAble();
    machines.put("b", new MachineView("b", 1, true, Set.of(LOCK), Set.of(LOCK), Set.of()));
    for (int look = 0; look < 40; look++) {
      machines.put("b", new MachineView("b", look, true, Set.of(LOCK), Set.of(LOCK), Set.of()));
      watchAfterBeats(vacant(3));
      assertThat(nextAfterBeats()).isNotInstanceOf(ControlAction.Take.class);
      pass(50);
    }
    machines.put("b", new MachineView("b", 41, true, Set.of(LOCK), Set.of(LOCK), Set.of()));
    watchAfterBeats(vacant(3));

    assertThat(next()).isInstanceOf(ControlAction.Take.class);
  }

  // ---- losing

  @Test
  void aLostSessionEndsLeaseAndTermsAtOnce() {
    Term term = becomeActive(1);
    signals.clear();
    answer(new ControlAnswer.SessionLost("reset"));

    assertThat(lease.isAlive()).isFalse();
    assertThat(coordinator.holdsAny()).isFalse();
    assertThat(signals)
        .containsExactly(
            new Signal.TermEnded(LOCK, term.epoch(), "control session lost: reset"),
            new Signal.Down("reset"));
  }

  @Test
  void aRowThatNamesAnotherTermEndsOursAndTheLockIsLetGo() {
    Term term = becomeActive(1);
    answer(new ControlAnswer.Renewed());
    signals.clear();
    pass(50);
    watch(held("b", 2, true));

    assertThat(signals)
        .containsExactly(
            new Signal.TermEnded(
                LOCK, term.epoch(), "the recorder's row names epoch 2, ours was 1"));
    assertThat(next()).isInstanceOf(ControlAction.Release.class);
  }

  @Test
  void ourOwnRowLeavesUsAlone() {
    becomeActive(1);
    answer(new ControlAnswer.Renewed());
    signals.clear();
    pass(50);
    watch(held("me", 1, true));

    assertThat(signals).isEmpty();
    assertThat(next()).isInstanceOf(ControlAction.Rest.class);
  }

  // ---- letting go

  @Test
  void aTermThatItsWriterEndedIsReleased() {
    Term term = becomeActive(1);
    answer(new ControlAnswer.Renewed());
    signals.clear();
    coordinator.release(LOCK, term.epoch(), "asked to stop");

    assertThat(next()).isEqualTo(new ControlAction.Release(LOCK, 1, "asked to stop", null));
    answer(new ControlAnswer.Released());
    assertThat(signals).containsExactly(new Signal.TermEnded(LOCK, 1, "asked to stop"));
    assertThat(coordinator.holdsAny()).isFalse();
  }

  @Test
  void theEndOfAnEarlierTermReleasesNothing() {
    becomeActive(5);
    answer(new ControlAnswer.Renewed());
    coordinator.release(LOCK, 4, "late");

    assertThat(nextAfterBeats()).isNotInstanceOf(ControlAction.Release.class);
  }

  @Test
  void heartbeatsGoBeforeReleases() {
    Term term = becomeActive(1);
    coordinator.release(LOCK, term.epoch(), "asked to stop");
    pass(50);

    assertThat(next()).isInstanceOf(ControlAction.Beat.class);
    answer(new ControlAnswer.Renewed());
    assertThat(next()).isInstanceOf(ControlAction.Release.class);
  }

  @Test
  void whoIsStoppingBeginsNoTerm() {
    connectAble();
    watch(vacant(0));
    coordinator.stop();
    assertThat(next()).isInstanceOf(ControlAction.Rest.class);

    pass(50);
    watch(vacant(0));
    assertThat(next()).isInstanceOf(ControlAction.Rest.class);
  }

  // ---- handing over

  @Test
  void aFlipIsAppliedByLeavingTheTermTowardsWhoeverRequestsIt() {
    coordinator = coordinator(false);
    becomeActive(1);
    machine("b", 1);
    watchAfter50(requested("b", HandoverRequest.Why.FLIP));

    assertThat(signals).contains(new Signal.Leaving(LOCK, 1, "an operator made b its primary"));
    coordinator.release(LOCK, 1, "stopped");
    assertThat(nextAfterBeats())
        .isEqualTo(
            new ControlAction.Release(
                LOCK,
                1,
                "an operator made b its primary",
                new HandoverRequest("b", HandoverRequest.Why.FLIP)));
  }

  @Test
  void aFailbackIsAnnouncedBeforeItIsBegun() {
    coordinator = coordinator(false);
    becomeActive(1);
    machines.put("b", new MachineView("b", 1, true, Set.of(LOCK), Set.of(LOCK), Set.of()));
    beatingFor(10_050, "b");

    ControlAction announce = nextAfterBeats();
    assertThat(announce)
        .isEqualTo(
            new ControlAction.Announce(
                LOCK, 1, new HandoverRequest("b", HandoverRequest.Why.FAILBACK)));
    assertThat(signals).noneMatch(Signal.Leaving.class::isInstance);
    answer(announce, now, new ControlAnswer.Announced());
    assertThat(signals).contains(new Signal.Leaving(LOCK, 1, "its primary b is back"));
  }

  @Test
  void anOperatorsOrderIsAcceptedBeforeTheTermIsLeft() {
    coordinator = coordinator(false);
    becomeActive(1);
    machine("b", 1);
    watchAfter50(requested("b", HandoverRequest.Why.OPERATOR));

    ControlAction accept = nextAfterBeats();
    assertThat(accept)
        .isEqualTo(
            new ControlAction.Accept(
                LOCK, 1, new HandoverRequest("b", HandoverRequest.Why.OPERATOR)));
    assertThat(signals).noneMatch(Signal.Leaving.class::isInstance);
    answer(accept, now, new ControlAnswer.Accepted());
    assertThat(signals).contains(new Signal.Leaving(LOCK, 1, "an operator moves it to b"));
  }

  @Test
  void anOrderThatIsWithdrawnLeavesTheTermAsItIs() {
    coordinator = coordinator(false);
    becomeActive(1);
    machine("b", 1);
    watchAfter50(requested("b", HandoverRequest.Why.OPERATOR));
    answer(nextAfterBeats(), now, new ControlAnswer.Withdrawn());

    pass(2_500);
    machine("b", 2);
    watchAfterBeats(held("me", 1, true));
    assertThat(nextAfterBeats()).isInstanceOf(ControlAction.Rest.class);
    assertThat(signals)
        .noneMatch(Signal.Leaving.class::isInstance)
        .noneMatch(Signal.TermEnded.class::isInstance);
  }

  @Test
  void whoHasAnOrderLockedDoesNotKeepTheActiveMachineAskingForIt() {
    coordinator = coordinator(false);
    becomeActive(1);
    machine("b", 1);
    watchAfter50(requested("b", HandoverRequest.Why.OPERATOR));
    answer(nextAfterBeats(), now, new ControlAnswer.Busy("lock timeout"));

    for (int millis = 50; millis < 1_000; millis += 50) {
      pass(50);
      machine("b", millis);
      watchIfDue(requested("b", HandoverRequest.Why.OPERATOR));
      assertThat(nextAfterBeats()).isNotInstanceOf(ControlAction.Accept.class);
    }
    pass(500);
    machine("b", 1_000);
    watchIfDue(requested("b", HandoverRequest.Why.OPERATOR));
    assertThat(nextAfterBeats()).isInstanceOf(ControlAction.Accept.class);
  }

  @Test
  void aTermThatEndsBeforeAnOrderIsAcceptedEndsTowardsNobody() {
    coordinator = coordinator(false);
    becomeActive(1);
    machine("b", 1);
    watchAfter50(requested("b", HandoverRequest.Why.OPERATOR));
    coordinator.stop();
    coordinator.release(LOCK, 1, "stopped");

    assertThat(nextAfterBeats()).isEqualTo(new ControlAction.Release(LOCK, 1, "stopped", null));
  }

  @Test
  void whatIsRemovedWhileAnOrderIsAskedAfterIsLeftWithinItsTime() {
    coordinator = coordinator(false);
    becomeActive(1);
    machine("b", 1);
    watchAfter50(requested("b", HandoverRequest.Why.OPERATOR));
    coordinator.reconfigure(List.of(), now);
    assertThat(coordinator.pending())
        .containsExactly(new Signal.Leaving(LOCK, 1, "removed from the configuration"));
    ControlAction accept = nextAfterBeats();
    if (accept instanceof ControlAction.Register) {
      answer(accept, now, new ControlAnswer.Registered());
      accept = nextAfterBeats();
    }
    assertThat(accept).isInstanceOf(ControlAction.Accept.class);
    answer(accept, now, new ControlAnswer.Withdrawn());

    pass(2_000);
    watchAfterBeats(held("me", 1, true));
    assertThat(nextAfterBeats())
        .isEqualTo(
            new ControlAction.Release(LOCK, 1, "what was under way did not settle in time", null));
  }

  // ---- drained

  @Test
  void whoHasAnOrderLockedDoesNotKeepADrainedMachineFromGoing() {
    coordinator = coordinator(false);
    becomeActive(1);
    machine("b", 1);
    coordinator.drain(lockId -> true, now);
    watchAfterBeats(requested("b", HandoverRequest.Why.OPERATOR));
    answer(nextAfterBeats(), now, new ControlAnswer.Busy("lock timeout"));
    pass(500);
    machine("b", 2);
    watchAfterBeats(requested("b", HandoverRequest.Why.OPERATOR));

    assertThat(signals).contains(new Signal.Leaving(LOCK, 1, "an operator moves it to b"));
    coordinator.release(LOCK, 1, "left");
    assertThat(nextAfterBeats())
        .isEqualTo(
            new ControlAction.Release(
                LOCK,
                1,
                "an operator moves it to b",
                new HandoverRequest("b", HandoverRequest.Why.OPERATOR)));
  }

  @Test
  void whoIsDrainedStaysSoWhenItsSessionIsLost() {
    becomeActive(1);
    coordinator.drain(lockId -> true, now);
    answer(nextAfterBeats(), now, new ControlAnswer.SessionLost("cut"));
    pass(50);

    assertThat(next()).isEqualTo(new ControlAction.Connect(Set.of()));
    answer(new ControlAnswer.Connected(18));
    watchAfterBeats(held("b", 2, false));
    assertThat(nextAfterBeats()).isInstanceOf(ControlAction.Rest.class);
    watchAfter50(held("me", 1, false));
    assertThat(nextAfterBeats()).isInstanceOf(ControlAction.Take.class);
  }

  @Test
  void whoIsDrainedAnnouncesItsHandOverAndIsNotAbleAnyMore() {
    becomeActive(1);
    machine("b", 1);
    coordinator.drain(lockId -> true, now);
    beats.clear();
    watchAfterBeats(held("me", 1, true));

    ControlAction announce = nextAfterBeats();
    assertThat(announce)
        .isEqualTo(
            new ControlAction.Announce(
                LOCK, 1, new HandoverRequest("b", HandoverRequest.Why.OPERATOR)));
    answer(announce, now, new ControlAnswer.Announced());
    assertThat(signals).contains(new Signal.Leaving(LOCK, 1, "an operator moves it to b"));
    assertThat(beats.get(0).able()).containsExactly(LOCK);
    coordinator.release(LOCK, 1, "left");
    answer(nextAfterBeats(), now, new ControlAnswer.Released());
    pass(500);
    beats.clear();
    watchIfDue(held("b", 2, true));
    assertThat(beats.get(0).able()).isEmpty();
  }

  @Test
  void whoIsDrainedTakesNothingFromTheDead() {
    connectAble();
    coordinator.drain(lockId -> true, now);
    watchAfterBeats(held("b", 4, false));
    assertThat(nextAfterBeats()).isInstanceOf(ControlAction.Rest.class);

    coordinator.drain(lockId -> false, now);
    watchAfterBeats(held("b", 4, false));
    assertThat(nextAfterBeats()).isInstanceOf(ControlAction.Take.class);
  }

  @Test
  void whoIsDrainedTakesBackWhatNobodyHasHadSinceAndWhatIsOnItsWay() {
    becomeActive(1);
    coordinator.drain(lockId -> true, now);
    coordinator.release(LOCK, 1, "left");
    answer(nextAfterBeats(), now, new ControlAnswer.Released());
    watchAfter50(vacant(1));
    ControlAction take = nextAfterBeats();
    assertThat(take).isInstanceOf(ControlAction.Take.class);
    answer(take, now, new ControlAnswer.Moved());

    watchAfter50(vacant(2));
    assertThat(nextAfterBeats()).isInstanceOf(ControlAction.Rest.class);
    watchAfter50(
        new RecorderView(
            LOCK, null, 2, false, new HandoverRequest("me", HandoverRequest.Why.OPERATOR), 0));
    assertThat(nextAfterBeats()).isInstanceOf(ControlAction.Take.class);
  }

  @Test
  void aTermWhoseWriterDoesNotEndInTimeIsLeftAllTheSame() {
    coordinator = coordinator(false);
    becomeActive(1);
    machine("b", 1);
    watchAfter50(requested("b", HandoverRequest.Why.OPERATOR));
    answer(nextAfterBeats(), now, new ControlAnswer.Accepted());
    signals.clear();
    pass(2_000);
    watchAfterBeats(requested("b", HandoverRequest.Why.OPERATOR));

    assertThat(signals)
        .containsExactly(
            new Signal.TermEnded(LOCK, 1, "what was under way did not settle in time"));
    assertThat(nextAfterBeats()).isInstanceOf(ControlAction.Release.class);
  }

  @Test
  void aReleaseThatFoundTheRowBusyIsRepeatedAfterAPause() {
    Term term = becomeActive(1);
    coordinator.release(LOCK, term.epoch(), "asked to stop");
    ControlAction release = nextAfterBeats();
    answer(release, now, new ControlAnswer.Busy("lock timeout"));

    assertThat(nextAfterBeats()).isNotInstanceOf(ControlAction.Release.class);
    pass(50);
    assertThat(nextAfterBeats()).isEqualTo(release);
  }

  @Test
  void aRowThatIsLockedKeepsNoOtherRecorderFromBeingReleased() {
    coordinator = coordinatorOfTwo();
    connectAble();
    machine("b", 9);
    watchBoth(false);
    List<ControlAnswer> taken = new ArrayList<>();
    for (int lockId : List.of(LOCK, 8)) {
      taken.add(new ControlAnswer.Taken(new Term(lockId, 5, "me", LOG), receipt()));
    }
    answer(next(), now, new ControlAnswer.TookSeveral(taken));
    coordinator.release(LOCK, 5, "asked to stop");
    coordinator.release(8, 5, "asked to stop");

    answer(releaseAfterAPause(LOCK), now, new ControlAnswer.Busy("lock timeout"));
    answer(releaseAfterAPause(8), now, new ControlAnswer.Busy("lock timeout"));
    answer(releaseAfterAPause(LOCK), now, new ControlAnswer.Busy("lock timeout"));
    answer(releaseAfterAPause(8), now, new ControlAnswer.Released());
    releaseAfterAPause(LOCK);
  }

  private ControlAction releaseAfterAPause(int lockId) {
    pass(50);
    ControlAction release = nextAfterBeats();
    assertThat(release).isEqualTo(new ControlAction.Release(lockId, 5, "asked to stop", null));
    return release;
  }

  @Test
  void whoIsCalledLooksEveryFiveMilliseconds() {
    connectAble();
    machine("b", 1);
    watch(
        new RecorderView(
            LOCK, "b", 1, true, new HandoverRequest("me", HandoverRequest.Why.FAILBACK), 0));
    assertThat(restMillis()).isEqualTo(5);
  }

  @Test
  void aCallThatComesToNothingIsNotWaitedForEagerlyForEver() {
    connectAble();
    machine("b", 1);
    RecorderView called =
        new RecorderView(
            LOCK, "b", 1, true, new HandoverRequest("me", HandoverRequest.Why.FLIP), 0);
    watch(called);
    pass(2_000);
    watchAfterBeats(called);

    assertThat(restMillis()).isEqualTo(50);
  }

  // ---- stuck

  @Test
  void aMachineThatMakesNoProgressSaysSoInItsBeat() {
    becomeActive(1);
    stayingActive(9_950);
    assertThat(beats()).allMatch(beat -> beat.stuck().isEmpty());

    stayingActive(100);
    assertThat(beats().get(beats().size() - 1).stuck()).containsExactly(LOCK);
  }

  @Test
  void progressEndsIt() {
    becomeActive(1);
    stayingActive(10_100);
    coordinator.noteProgress(LOCK, 1, now);
    stayingActive(550);

    assertThat(beats().get(beats().size() - 1).stuck()).isEmpty();
  }

  @Test
  void aStuckRecorderIsLetGoOfAtOnceAndCheckedHere() {
    becomeActive(1);
    machine("b", 1);
    stayingActive(9_950, "b");
    signals.clear();
    stayingActive(2_100, "b");

    assertThat(signals)
        .contains(new Signal.TermEnded(LOCK, 1, "it makes no progress here, b may"))
        .noneMatch(Signal.Leaving.class::isInstance);
    ControlAction release = nextAfterBeats();
    assertThat(release)
        .isEqualTo(
            new ControlAction.Release(
                LOCK,
                1,
                "it makes no progress here, b may",
                new HandoverRequest("b", HandoverRequest.Why.STUCK)));
    answer(release, now, new ControlAnswer.Released());
    assertThat(signals)
        .contains(
            new Signal.Recheck(LOCK, "it made no progress here: checking what was in its way"));
    assertThat(((ControlAction.Beat) next()).able()).isEmpty();
  }

  @Test
  void aPeerOfAStuckMachineChecksItselfOnceBeforeItCountsAsAble() {
    connectAble();
    machines.put("b", new MachineView("b", 1, true, Set.of(), Set.of(), Set.of(LOCK)));
    watch(held("b", 1, true));
    watchAfter50(held("b", 1, true));

    assertThat(signals.stream().filter(Signal.Recheck.class::isInstance)).hasSize(1);
    coordinator.setUnable(LOCK, null, now);
    assertThat(((ControlAction.Beat) next()).able()).containsExactly(LOCK);
    watchAfter50(held("b", 1, true));
    assertThat(signals.stream().filter(Signal.Recheck.class::isInstance)).hasSize(1);
  }

  // ---- another configuration

  @Test
  void aChangedPreferenceIsRegistered() {
    connectAble();
    watch(held("b", 1, true));
    reconfigure(false);

    ControlAction register = nextAfterBeats();
    assertThat(register).isEqualTo(new ControlAction.Register(Set.of(), Set.of(LOCK)));
    answer(register, now, new ControlAnswer.Registered());
    assertThat(nextAfterBeats()).isInstanceOf(ControlAction.Watch.class);
  }

  @Test
  void whoIsPrimaryNoMoreHandsOverAtOnceToThePrimaryThatIsThere() {
    becomeActive(1);
    machines.put("b", new MachineView("b", 1, true, Set.of(LOCK), Set.of(LOCK), Set.of()));
    watchAfter50(held("me", 1, true));
    assertThat(nextAfterBeats()).isInstanceOf(ControlAction.Rest.class);

    reconfigure(false);
    answer(nextAfterBeats(), now, new ControlAnswer.Registered());
    watchAfterBeats(held("me", 1, true));

    assertThat(nextAfterBeats())
        .isEqualTo(
            new ControlAction.Announce(
                LOCK, 1, new HandoverRequest("b", HandoverRequest.Why.FLIP)));
  }

  @Test
  void anActiveRecorderThatIsRemovedIsLeftFirst() {
    becomeActive(1);
    signals.clear();
    coordinator.reconfigure(List.of(), now);
    assertThat(coordinator.pending())
        .containsExactly(new Signal.Leaving(LOCK, 1, "removed from the configuration"));

    coordinator.release(LOCK, 1, "stopped");
    ControlAction release = nextAfterBeats();
    assertThat(release).isEqualTo(new ControlAction.Release(LOCK, 1, "stopped", null));
    answer(release, now, new ControlAnswer.Released());
    assertThat(signals)
        .containsExactly(new Signal.TermEnded(LOCK, 1, "stopped"), new Signal.Removed(LOCK));
  }

  @Test
  void aStandbysRecorderIsRemovedAtOnce() {
    connectAble();
    coordinator.reconfigure(List.of(), now);

    assertThat(coordinator.pending()).containsExactly(new Signal.Removed(LOCK));
    coordinator.setUnable(LOCK, "a finding that comes too late", now);
  }

  @Test
  void whatWasAboutToBeTakenIsNotTakenOnceItIsRemoved() {
    connectAble();
    watch(vacant(0));
    coordinator.reconfigure(List.of(), now);
    coordinator.pending();
    answer(nextAfterBeats(), now, new ControlAnswer.Registered());

    assertThat(nextAfterBeats()).isInstanceOf(ControlAction.Watch.class);
  }

  @Test
  void aRegistrationThatFindsARowBusyKeepsNoOneFromLooking() {
    connectAble();
    watch(held("b", 1, true));
    reconfigure(false);
    answer(nextAfterBeats(), now, new ControlAnswer.Busy("lock timeout"));

    watchAfterBeats(held("b", 1, true));
    pass(500);
    assertThat(nextAfterBeats()).isInstanceOf(ControlAction.Register.class);
  }

  @Test
  void anEvictionLeavesTheAnnouncementOfAnotherRecorderInPlace() {
    coordinator = coordinatorOfTwo();
    coordinator.setUnable(LOCK, null, now);
    connect();
    watchOf(Map.of(8, new RecorderView(8, null, 0, false, null, 0)));
    answer(nextAfterBeats(), now, new ControlAnswer.Taken(new Term(8, 1, "me", LOG), receipt()));
    machines.put("c", new MachineView("c", 1, true, Set.of(), Set.of(), Set.of()));
    Map<Integer, RecorderView> rows =
        Map.of(LOCK, held("c", 4, true), 8, new RecorderView(8, "me", 1, true, null, 0));
    for (long passed = 0; passed < 1_950; passed += 50) {
      pass(50);
      watchOf(rows);
    }
    coordinator.reconfigure(
        List.of(
            new Candidacy(LOCK, "orders", false, Failback.AUTO),
            new Candidacy(8, "invoices", true, Failback.AUTO)),
        now);
    coordinator.reconfigure(
        List.of(
            new Candidacy(LOCK, "orders", false, Failback.AUTO),
            new Candidacy(8, "invoices", false, Failback.AUTO)),
        now);
    answer(nextAfterBeats(), now, new ControlAnswer.Registered());
    machines.put("b", new MachineView("b", 1, true, Set.of(8), Set.of(8), Set.of()));
    pass(100);
    watchOf(rows);

    ControlAction evict = nextAfterBeats();
    assertThat(evict).isInstanceOf(ControlAction.Evict.class);
    answer(evict, now, new ControlAnswer.Evicted(2));
    assertThat(nextAfterBeats())
        .isEqualTo(
            new ControlAction.Announce(8, 1, new HandoverRequest("b", HandoverRequest.Why.FLIP)));
  }

  private void watchOf(Map<Integer, RecorderView> rows) {
    ControlAction watch = nextAfterBeats();
    assertThat(watch).isInstanceOf(ControlAction.Watch.class);
    answer(watch, now, new ControlAnswer.Seen(new ClusterView(Map.copyOf(machines), rows)));
  }

  // ---- short forms

  /** What to do next; a decision is told once. */
  private ControlAction next() {
    return coordinator.next(now);
  }

  /** The same, once the beats that are due have been answered. */
  private ControlAction nextAfterBeats() {
    ControlAction action = next();
    while (action instanceof ControlAction.Beat) {
      answer(action, now, new ControlAnswer.Renewed());
      action = next();
    }
    return action;
  }

  private void pass(long millis) {
    now += millis * MILLI;
  }

  private long restMillis() {
    ControlAction action = next();
    assertThat(action).isInstanceOf(ControlAction.Rest.class);
    return (((ControlAction.Rest) action).untilNanos() - now) / MILLI;
  }

  /** Answers, at once, what the coordinator wants next. */
  private void answer(ControlAnswer answer) {
    answer(next(), now, answer);
  }

  private void answer(ControlAction action, long sentAt, ControlAnswer answer) {
    if (action instanceof ControlAction.Beat beat) {
      beats.add(beat);
    }
    signals.addAll(coordinator.on(action, sentAt, answer, now));
  }

  private void connect() {
    assertThat(next()).isInstanceOf(ControlAction.Connect.class);
    answer(new ControlAnswer.Connected(17));
  }

  /** Connected, and able to take the recorder. */
  private void connectAble() {
    coordinator.setUnable(LOCK, null, now);
    connect();
  }

  /** Able, and the holder has been silent for long enough to be evicted. */
  private void connectAndFindSilent() {
    connectAble();
    machine("b", 9);
    stayingSilent(2_000, held("b", 4, true));
  }

  private void watch(RecorderView recorder) {
    answer(nextWatch(), now, new ControlAnswer.Seen(view(recorder)));
  }

  private ControlAction nextWatch() {
    ControlAction action = next();
    assertThat(action).isInstanceOf(ControlAction.Watch.class);
    return action;
  }

  private void watchAfterBeats(RecorderView recorder) {
    watchOf(Map.of(LOCK, recorder));
  }

  /** Answers a look that was sent before whatever the coordinator wants now. */
  private void answerWatch(RecorderView recorder, long sentAt) {
    answer(new ControlAction.Watch(), sentAt, new ControlAnswer.Seen(view(recorder)));
  }

  /** Looks every 50 ms, for so long, at machines that do not beat. */
  private void stayingSilent(long millis, RecorderView recorder) {
    watchAfterBeats(recorder);
    for (long passed = 50; passed <= millis; passed += 50) {
      pass(50);
      watchAfterBeats(recorder);
    }
  }

  private ClusterView view(RecorderView recorder) {
    return new ClusterView(Map.copyOf(machines), Map.of(LOCK, recorder));
  }

  private void machine(String name, long beat) {
    machines.put(name, new MachineView(name, beat, true, Set.of(LOCK), Set.of(), Set.of()));
  }

  private void reconfigure(boolean primary) {
    coordinator.reconfigure(List.of(new Candidacy(LOCK, "orders", primary, Failback.AUTO)), now);
  }

  private void watchAfter50(RecorderView recorder) {
    pass(50);
    watchAfterBeats(recorder);
  }

  /** Active for so long, looking when it wants to, while {@code machines} beat. */
  private void stayingActive(long millis, String... beating) {
    for (long passed = 0; passed < millis; passed += 50) {
      pass(50);
      for (String name : beating) {
        machine(name, passed / 500 + 2);
      }
      watchIfDue(held("me", 1, true));
    }
    nextAfterBeats();
  }

  private void watchIfDue(RecorderView recorder) {
    ControlAction action = nextAfterBeats();
    if (action instanceof ControlAction.Watch) {
      answer(action, now, new ControlAnswer.Seen(view(recorder)));
    } else {
      assertThat(action).isInstanceOf(ControlAction.Rest.class);
    }
  }

  private void beatingFor(long millis, String primary) {
    for (long passed = 0; passed < millis; passed += 50) {
      machines.put(
          primary,
          new MachineView(primary, passed / 500 + 2, true, Set.of(LOCK), Set.of(LOCK), Set.of()));
      pass(50);
      watchIfDue(held("me", 1, true));
    }
  }

  private List<ControlAction.Beat> beats() {
    return beats;
  }

  private static RecorderView requested(String to, HandoverRequest.Why why) {
    return new RecorderView(LOCK, "me", 1, true, new HandoverRequest(to, why), 0);
  }

  private static RecorderView vacant(long epoch) {
    return new RecorderView(LOCK, null, epoch, false, null, 0);
  }

  private static RecorderView held(@Nullable String holder, long epoch, boolean alive) {
    return new RecorderView(LOCK, holder, epoch, alive, null, 0);
  }

  private Term becomeActive(long epoch) {
    connectAble();
    watch(vacant(epoch - 1));
    Term term = new Term(LOCK, epoch, "me", LOG);
    answer(new ControlAnswer.Taken(term, receipt()));
    return term;
  }

  private static ControlAnswer.Receipt receipt() {
    return new ControlAnswer.Receipt(TakeoverReason.START, null, 0, Duration.ZERO, null, "why");
  }
}
