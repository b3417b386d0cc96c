package dev.recorder.audit.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.audit.AuditResult;
import dev.recorder.audit.LogInMemory;
import dev.recorder.audit.LogVerifier;
import dev.recorder.audit.Progress;
import dev.recorder.audit.objects.ReadingRoom;
import dev.recorder.audit.objects.SlotPlan;
import dev.recorder.audit.objects.UnfinishedException;
import dev.recorder.handoff.Position;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Window;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.SlotContent;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A log that is verified time and again: where each verification begins, and what it leaves. */
class ScheduledAuditTest {
  private final LogInMemory log = new LogInMemory();
  private final VerdictsInMemory verdictStore = new VerdictsInMemory();

  /** What the last verdict has left, as the table keeps it. */
  private static final class VerdictsInMemory implements VerdictStore {
    private Noted noted = Noted.NOTHING;
    private boolean termGoesOn = true;
    private final List<AuditVerdict> verdicts = new ArrayList<>();

    @Override
    public Noted look() {
      return noted;
    }

    @Override
    public boolean note(AuditVerdict verdict) {
      if (termGoesOn) {
        verdicts.add(verdict);
        noted =
            new Noted(
                true,
                0,
                verdict.next(),
                verdict.standing().log(),
                verdict.standing().rebasedSlot());
      }
      return termGoesOn;
    }

    @Override
    public void unfinished(String why) {
      throw new AssertionError(why);
    }

    void isDue(boolean due, boolean askedFor) {
      noted = new Noted(due, askedFor ? 1 : 0, noted.next(), noted.log(), noted.rebasedSlot());
    }
  }

  /** One row in a slot of its own, of transaction {@code 9 + slot}. */
  private void recordSlots(int from, int to) {
    for (int slot = from; slot <= to; slot++) {
      long xid = 9L + slot;
      log.insert(xid);
      log.record((xid + 1) + ":" + (xid + 1) + ":", 100);
    }
  }

  private Optional<AuditVerdict> run() {
    return run(ReadingRoom.UNLIMITED);
  }

  private Optional<AuditVerdict> run(ReadingRoom room) {
    try {
      LogVerifier verifier = new LogVerifier(log, LogInMemory.LAYOUT, log, log, room);
      return new ScheduledAudit(verifier, log, verdictStore).run(Progress.NONE);
    } catch (UnreadableSlotException e) {
      throw new AssertionError(e);
    }
  }

  private AuditVerdict assertSlots(long from, long to) {
    AuditVerdict verdict = run().orElseThrow();
    assertThat(List.of(verdict.from(), verdict.to())).containsExactly(from, to);
    return verdict;
  }

  @Test
  void theFirstProvesAllAndTheNextWhatHasComeSince() {
    recordSlots(1, 4);
    AuditVerdict first = assertSlots(1, 4);
    assertThat(first.isWhole()).isTrue();

    recordSlots(5, 6);
    AuditVerdict second = assertSlots(4, 6);

    assertThat(second.isWhole()).isFalse();
    assertThat(second.result().ok()).isTrue();
    assertThat(second.result().compared()).isEqualTo(3);
  }

  @Test
  void aLogThatHasNotBegunIsProvedFromItsFirstSlotOnOnceItHas() {
    assertSlots(1, 0);
    recordSlots(1, 2);

    assertSlots(1, 2);
  }

  /** It would be in nobody's slots if each began behind the last slot that was proved. */
  @Test
  void aRowThatIsLostBetweenTwoVerdictsIsFound() {
    recordSlots(1, 2);
    run();
    log.insert(12);
    LogHead head = log.head;
    log.head =
        log.head(head.lastSlot(), head.firstSlot(), Position.doneUpTo(Snapshot.parse("13:13:")));
    log.insert(13);
    log.record("14:14:", 100);

    AuditResult result = assertSlots(2, 3).result();

    assertThat(result.gaps()).isEqualTo(1);
    assertThat(result.lost()).isEqualTo(1);
  }

  @Test
  void faultsAreFoundAgainUntilTheyAreMendedHoweverGoodWhatComesLaterIs() {
    recordSlots(1, 3);
    run();
    recordSlots(4, 6);
    var object = log.objects.get(LogInMemory.LAYOUT.slotKey(5));
    log.lose(5);
    assertThat(assertSlots(3, 6).result().ok()).isFalse();

    recordSlots(7, 8);
    assertThat(assertSlots(3, 8).result().lost()).isEqualTo(1);

    log.objects.put(LogInMemory.LAYOUT.slotKey(5), object);
    assertThat(assertSlots(3, 8).result().ok()).isTrue();
    assertSlots(8, 8);
  }

  @Test
  void whatIsFoundInTheWholeLogIsNotHiddenByTheNextVerdict() {
    recordSlots(1, 5);
    run();
    log.lose(2);
    verdictStore.isDue(false, true);
    assertThat(assertSlots(1, 5).result().ok()).isFalse();

    assertThat(assertSlots(1, 5).result().ok()).isFalse();
  }

  @Test
  void whatIsNotDueReadsNothing() {
    recordSlots(1, 2);
    verdictStore.isDue(false, false);
    log.beforeRead =
        () -> {
          throw new AssertionError("it reads");
        };

    assertThat(run()).isEmpty();
  }

  @Test
  void ofATermThatHasEndedThereIsNoVerdict() {
    recordSlots(1, 2);
    verdictStore.termGoesOn = false;

    assertThat(run()).isEmpty();
    assertThat(verdictStore.verdicts).isEmpty();
  }

  @Test
  void aRebaseMakesOldProofVoid() {
    recordSlots(1, 3);
    run();
    log.rebasedSlot = 3;

    assertSlots(1, 3);
  }

  @Test
  void aLogThatIsShorterThanWhatWasProvedIsProvedAnew() {
    recordSlots(1, 3);
    run();
    log.head = log.head(2, 1, log.head.position());

    assertThat(new ScheduledBeginning(log, log.settled()).after(verdictStore.noted)).isEqualTo(1);
  }

  @Test
  void slotsThatHaveExpiredAreLeftOut() {
    recordSlots(1, 4);
    run();
    log.lose(1, 2, 3, 4);
    recordSlots(5, 7);
    log.head = log.head(7, 6, log.head.position());

    assertThat(assertSlots(6, 7).result().ok()).isTrue();
  }

  @Test
  void theFirstBeginsWhereRowsAreKeptAndIsOfTheWholeLogOnRequest() {
    recordSlots(1, 4);
    log.deletePlans(3);
    log.clear(Set.of(0L));
    log.rows.clear();
    assertThat(assertSlots(4, 4).isWhole()).isFalse();

    verdictStore.isDue(false, true);
    AuditVerdict whole = assertSlots(1, 4);

    assertThat(whole.isWhole()).isTrue();
    assertThat(whole.result().ok()).isTrue();
  }

  @Test
  void anObjectThatWasReplacedSinceIsFoundThoughItsRowInSlotsIsGone() {
    recordSlots(1, 3);
    run();
    recordSlots(4, 6);
    log.deletePlans(5);
    log.clear(Set.of(0L));
    log.replace(4, LogInMemory.row(4, 13, "[]"));

    assertThat(assertSlots(3, 6).result().hashMismatches()).isEqualTo(1);
  }

  @Test
  void itBeginsBeforeASlotThatWasPlannedTwice() {
    recordSlots(1, 2);
    log.insert(12);
    log.plan(log.build(Snapshot.parse("13:13:"), 100));
    log.insert(13);
    SlotContent again = log.build(Snapshot.parse("14:14:"), 100);
    log.plan(again);
    log.put(again);
    log.settle(again);
    run();
    recordSlots(5, 5);

    assertThat(assertSlots(2, 4).result().ok()).isTrue();
  }

  @Test
  void itIsBrokenOffWhereThereIsNoMemoryForAnObject() {
    recordSlots(1, 2);
    List<Long> asked = new ArrayList<>();

    assertThatThrownBy(
            () ->
                run(
                    bytes -> {
                      asked.add(bytes);
                      return bytes == 0;
                    }))
        .isInstanceOf(UnfinishedException.class)
        .hasMessageContaining("no memory was free");
    assertThat(asked).hasSize(2).endsWith(0L);
    assertThat(verdictStore.verdicts).isEmpty();
  }

  @Test
  void itIsBrokenOffInFrontOfAnObjectThatIsLargerThanTheHeap() {
    recordSlots(1, 2);

    assertThatThrownBy(() -> run(SMALL_HEAP))
        .isInstanceOf(UnfinishedException.class)
        .hasMessageContaining("give it a larger heap (-Xmx)");
    assertThat(verdictStore.verdicts).isEmpty();
  }

  private static final ReadingRoom SMALL_HEAP =
      new ReadingRoom() {
        @Override
        public boolean of(long bytes) {
          return true;
        }

        @Override
        public long most() {
          return 10;
        }
      };

  @Test
  void itIsBrokenOffWhereItWouldKeepMoreThanHalfOfTheMemory() {
    recordSlots(1, 2);

    assertThatThrownBy(
            () ->
                run(
                    new ReadingRoom() {
                      @Override
                      public boolean of(long bytes) {
                        return true;
                      }

                      @Override
                      public long limit() {
                        return 50_000;
                      }
                    }))
        .isInstanceOf(UnfinishedException.class)
        .hasMessageContaining("give it a larger heap");
  }

  @Test
  void whatItAsksForGrowsWithWhatItKeepsAndIsGivenBack() {
    recordSlots(1, 40);
    List<Long> asked = new ArrayList<>();

    run(asked::add);

    assertThat(asked).hasSizeGreaterThan(40).endsWith(0L);
    assertThat(asked.get(1)).isGreaterThan(asked.get(0));
  }

  @Test
  void aWindowThatIsNotKnownIsNoBeginning() {
    recordSlots(1, 2);
    Window none = null;
    SlotPlan plan = log.plansOf(2).get(0);
    log.plansOf(2).set(0, new SlotPlan(plan.sha256(), none, plan.extent(), plan.bytes()));
    VerdictStore.Noted noted = new VerdictStore.Noted(true, 0, 2, LogInMemory.LOG, log.rebasedSlot);

    assertThat(new ScheduledBeginning(log, log.settled()).after(noted)).isEqualTo(1);
  }
}
