package dev.recorder.slotlog;

import static dev.recorder.slotlog.WriterScript.adopted;
import static dev.recorder.slotlog.WriterScript.content;
import static dev.recorder.slotlog.WriterScript.found;
import static dev.recorder.slotlog.WriterScript.foundMine;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.Position;
import dev.recorder.testing.Origins;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlotWriterTest {
  private static final Event UNCLEAR = new Event.DatabaseUnclear("connection lost");
  private static final Event SILENT = new Event.StoreUnclear("time-out");
  private static final Event REFUSED = new Event.DatabaseRefused("older than its log");
  private static final Event FENCED = new Event.Fenced();
  private static final Event LEASE_ENDED = new Event.LeaseEnded();
  private static final Event WRONG = new Event.IdentityWrong("another log");

  private static final LogHead EMPTY = new LogHead(0, 1, Origins.CHAIN, Position.START);
  private static final Event LOADED = new Event.Loaded(WriterScript.HEAD);

  /** Where a writer may stand. */
  private enum At {
    LOADING,
    CHECKING_IDENTITY,
    CHECKING_LAST,
    LOOKING_AHEAD_OF_LOG,
    ADOPTING,
    READING,
    PLANNING,
    PUTTING,
    COMPARING,
    SETTLING;

    /** A writer that has come there. */
    WriterScript script() {
      return switch (this) {
        case LOADING -> WriterScript.started();
        case CHECKING_IDENTITY ->
            LOADING.script().answer(new Event.Loaded(EMPTY)).answer(0, new Event.Missing());
        case CHECKING_LAST -> LOADING.script().answer(LOADED).answer(0, new Event.Missing());
        case LOOKING_AHEAD_OF_LOG -> LOADING.script().answer(LOADED).answer(1, found(5, "5"));
        case ADOPTING -> LOOKING_AHEAD_OF_LOG.script().answer(found(6, "theirs"));
        case READING -> WriterScript.reading();
        case PLANNING -> WriterScript.planning();
        case PUTTING -> WriterScript.putting();
        case COMPARING -> WriterScript.putting().answer(new Event.PutAlreadyThere());
        case SETTLING -> WriterScript.settling();
      };
    }
  }

  static Stream<Arguments> answers() {
    return Stream.of(
        row(At.LOADING, LOADED, "Look 6, Look 5"),
        row(At.LOADING, new Event.NotOurs("epoch 4"), "Finish STEPPED_DOWN"),
        row(At.LOADING, UNCLEAR, "Wake in 50 ms"),
        row(At.LOADING, REFUSED, "Finish REFUSED"),
        row(At.CHECKING_IDENTITY, new Event.IdentityRight(), "Read 1 after 0"),
        row(At.CHECKING_IDENTITY, WRONG, "Finish REFUSED"),
        row(At.CHECKING_IDENTITY, SILENT, "Wake in 50 ms"),
        row(At.CHECKING_LAST, found(5, "5"), "Read 6 after 5"),
        row(At.CHECKING_LAST, new Event.Missing(), "Finish REFUSED"),
        row(At.CHECKING_LAST, WRONG, "Finish REFUSED"),
        row(At.CHECKING_LAST, SILENT, "Wake in 50 ms"),
        row(At.LOOKING_AHEAD_OF_LOG, new Event.Missing(), "Read 6 after 5"),
        row(At.LOOKING_AHEAD_OF_LOG, found(6, "theirs"), "Adopt 6"),
        row(At.LOOKING_AHEAD_OF_LOG, WRONG, "Finish REFUSED"),
        row(At.LOOKING_AHEAD_OF_LOG, SILENT, "Wake in 50 ms"),
        row(At.ADOPTING, adopted(6), "Look 7"),
        row(At.ADOPTING, FENCED, "Load"),
        row(At.ADOPTING, UNCLEAR, "Wake in 50 ms"),
        row(At.ADOPTING, REFUSED, "Finish REFUSED"),
        row(At.ADOPTING, LEASE_ENDED, "Wake in 50 ms"),
        row(At.READING, new Event.Built(content(6, false)), "Plan 6"),
        row(At.READING, new Event.NothingWaiting(), "Await 1 within 50 ms"),
        row(At.READING, new Event.Paused(), "Wake in 1000 ms"),
        row(At.READING, FENCED, "Load"),
        row(At.READING, UNCLEAR, "Wake in 50 ms"),
        row(At.READING, REFUSED, "Finish REFUSED"),
        row(At.PLANNING, new Event.Planned(), "Put 6"),
        row(At.PLANNING, FENCED, "Load"),
        row(At.PLANNING, UNCLEAR, "Wake in 50 ms"),
        row(At.PLANNING, LEASE_ENDED, "Wake in 50 ms"),
        row(At.PUTTING, new Event.PutCreated(), "Settle 6"),
        row(At.PUTTING, new Event.PutAlreadyThere(), "Look 6"),
        row(At.PUTTING, SILENT, "Look 6"),
        row(At.PUTTING, LEASE_ENDED, "Wake in 50 ms"),
        row(At.COMPARING, foundMine(6, false), "Settle 6"),
        row(At.COMPARING, found(6, "theirs"), "Adopt 6"),
        row(At.COMPARING, new Event.Missing(), "Wake in 50 ms"),
        row(At.COMPARING, SILENT, "Wake in 50 ms"),
        row(At.COMPARING, WRONG, "Finish REFUSED"),
        row(At.SETTLING, new Event.Settled(), "Wake in 20 ms"),
        row(At.SETTLING, FENCED, "Load"),
        row(At.SETTLING, UNCLEAR, "Wake in 50 ms"),
        row(At.SETTLING, LEASE_ENDED, "Wake in 50 ms"));
  }

  private static Arguments row(At at, Event event, String next) {
    return Arguments.of(at, event, next);
  }

  @ParameterizedTest(name = "{0} on {1}: {2}")
  @MethodSource("answers")
  void eachAnswerHasItsConsequence(At at, Event answer, String next) {
    assertThat(at.script().answer(answer).asked()).isEqualTo(next);
  }

  // ---- recovery

  @Test
  void anEmptyLogHasNoLastSlotToLookAt() {
    WriterScript script = WriterScript.started().answer(new Event.Loaded(EMPTY));

    assertThat(script.asked()).isEqualTo("Look 1, CheckIdentity");
  }

  @Test
  void aLastSlotBelowTheFloorMayBeGone() {
    WriterScript script =
        WriterScript.started()
            .answer(new Event.Loaded(new LogHead(5, 6, Origins.CHAIN, Position.START)));

    assertThat(script.asked()).isEqualTo("Look 6, CheckIdentity");
  }

  @Test
  void nothingIsAdoptedBeforeTheStoreIsKnownToBeTheLogs() {
    WriterScript script = At.LOADING.script().answer(LOADED).answer(0, found(6, "theirs"));
    assertThat(script.asked()).isEqualTo("Look 5");

    assertThat(script.answer(found(5, "5")).asked()).isEqualTo("Adopt 6");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void whicheverOfTwoLooksIsUnclearBothAreBegunAgain(int unclear) {
    WriterScript script = At.LOADING.script().answer(LOADED).answer(unclear, SILENT);
    assertThat(script.asked()).contains("Wake in 50 ms");

    script.answer(0, unclear == 0 ? found(5, "5") : new Event.Missing()).wake();

    assertThat(script.answer(LOADED).asked()).isEqualTo("Look 6, Look 5");
  }

  @Test
  void whatIsThereIsAdoptedSlotBySlot() {
    WriterScript script = At.ADOPTING.script().answer(adopted(6)).answer(found(7, "theirs"));
    assertThat(script.asked()).isEqualTo("Adopt 7");

    script.answer(adopted(7)).answer(new Event.Missing());
    assertThat(script.asked()).isEqualTo("Read 8 after 7");
  }

  @Test
  void theStoreIsCheckedOncePerTermAndTheLogAtEachRecovery() {
    WriterScript script = WriterScript.settling().answer(FENCED);
    script.answer(new Event.Loaded(new LogHead(6, 1, Origins.CHAIN, Position.START)));

    assertThat(script.asked()).isEqualTo("Look 7");
  }

  @Test
  void aCheckThatWasNotFinishedIsBegunAgain() {
    WriterScript script = At.CHECKING_LAST.script().answer(SILENT).wake();
    script.answer(new Event.Loaded(WriterScript.HEAD));

    assertThat(script.asked()).isEqualTo("Look 6, Look 5");
  }

  @Test
  void failuresInARowAreMetWithLongerAndLongerWaits() {
    WriterScript script = WriterScript.started().answer(UNCLEAR);
    assertThat(script.asked()).isEqualTo("Wake in 50 ms");
    script.wake().answer(UNCLEAR);
    assertThat(script.asked()).isEqualTo("Wake in 100 ms");
    script.wake().answer(UNCLEAR);
    assertThat(script.asked()).isEqualTo("Wake in 200 ms");
  }

  @Test
  void aReadBringsTheWaitsBackToTheFirst() {
    WriterScript script = At.LOOKING_AHEAD_OF_LOG.script().answer(SILENT).wake();
    script.answer(new Event.Loaded(WriterScript.HEAD)).answer(new Event.Missing());
    script.answer(new Event.NothingWaiting()).wake();

    assertThat(script.answer(UNCLEAR).asked()).isEqualTo("Wake in 50 ms");
  }

  @Test
  void aReadThatFailsEachTimeIsMetWithLongerAndLongerWaits() {
    WriterScript script = At.LOOKING_AHEAD_OF_LOG.script().answer(new Event.Missing());
    assertThat(script.answer(UNCLEAR).asked()).isEqualTo("Wake in 50 ms");

    script.wake().answer(new Event.Loaded(WriterScript.HEAD)).answer(new Event.Missing());

    assertThat(script.answer(UNCLEAR).asked()).isEqualTo("Wake in 100 ms");
  }

  // ---- a slot's own way

  @Test
  void withoutAnAnswerTheSameBytesGoToTheSameKey() {
    WriterScript script = WriterScript.putting();
    SlotContent sent = ((Effect.Put) script.effect(0)).content();

    for (int attempt = 0; attempt < 5; attempt++) {
      script.answer(SILENT).answer(new Event.Missing()).wake();
      assertThat(script.asked()).isEqualTo("Put 6");
      assertThat(((Effect.Put) script.effect(0)).content()).isSameAs(sent);
    }
  }

  @Test
  void aStoreThatDoesNotAnswerIsAskedUntilItDoes() {
    WriterScript script = WriterScript.putting().answer(SILENT).answer(SILENT).wake();
    assertThat(script.asked()).isEqualTo("Look 6");

    assertThat(script.answer(foundMine(6, false)).asked()).isEqualTo("Settle 6");
  }

  @Test
  void aSlotThatSomebodyElseWroteIsAdoptedAndItsRowsReadAgain() {
    WriterScript script = At.COMPARING.script().answer(found(6, "theirs"));
    assertThat(((Effect.Adopt) script.effect(0)).object().sha256()).isEqualTo("theirs");
    script.answer(adopted(6)).answer(new Event.Missing());

    assertThat(script.asked()).isEqualTo("Read 7 after 6");
  }

  /** The ledger refuses it: this server's next slot would stand behind its successor's. */
  @Test
  void theSameRowsThatALaterTimelineWroteAreNotSettledAsItsOwn() {
    DatabaseIdentity here = content(6, false).origin().database();
    WriterScript script = At.COMPARING.script();

    script.answer(foundMine(6, onTimeline(here, here.timeline() + 1)));

    assertThat(script.asked()).isEqualTo("Adopt 6");
  }

  @Test
  void theSameRowsThatAnEarlierTimelineWroteAreSettled() {
    DatabaseIdentity here = content(6, false).origin().database();
    WriterScript script = At.COMPARING.script();

    script.answer(foundMine(6, onTimeline(here, here.timeline() - 1)));

    assertThat(script.asked()).isEqualTo("Settle 6");
  }

  private static DatabaseIdentity onTimeline(DatabaseIdentity database, long timeline) {
    return new DatabaseIdentity(database.name(), database.system(), database.oid(), timeline);
  }

  @Test
  void afterTheLeaseHasEndedContentIsNeverSentAgain() {
    WriterScript script = WriterScript.putting().answer(SILENT).answer(new Event.Missing()).wake();
    script.answer(LEASE_ENDED).wake();
    script.answer(new Event.Loaded(WriterScript.HEAD)).answer(new Event.Missing());

    assertThat(script.asked()).isEqualTo("Read 6 after 5");
  }

  @Test
  void theNextSlotGoesOnWhereTheSettledOneEnded() {
    WriterScript script = WriterScript.settling().answer(new Event.Settled()).wake();

    Effect.Read read = (Effect.Read) script.effect(0);
    assertThat(read.slot()).isEqualTo(7);
    assertThat(read.lastSlot()).isEqualTo(6);
    assertThat(read.position()).isEqualTo(content(6, false).after());
  }

  @Test
  void theSlotThatIsUnderWayWhenTheRecorderIsPausedIsSettledAndNoOtherIsBegun() {
    WriterScript script = WriterScript.buildingAhead().answer(1, new Event.Paused());
    script.answer(new Event.PutCreated());
    assertThat(script.asked()).isEqualTo("Settle 6");

    script.answer(new Event.Settled()).answer(new Event.Paused());
    assertThat(script.wake().asked()).isEqualTo("Read 7 after 6");
    assertThat(script.answer(new Event.Paused()).stop().asked()).contains("Finish STOPPED");
  }

  // ---- waiting for rows

  @Test
  void theFirstReadOfATermTakesWhatThereIs() {
    assertThat(((Effect.Read) WriterScript.reading().effect(0)).onlyIfFull()).isFalse();
  }

  @Test
  void theFirstRowsOfATermAreLookedForSoonAndThenTheWriterWaitsToBeTold() {
    WriterScript script = WriterScript.reading();
    for (String within : new String[] {"50 ms", "100 ms", "200 ms", "400 ms", "800 ms"}) {
      script.answer(new Event.NothingWaiting());
      assertThat(script.asked()).isEqualTo("Await 1 within " + within);
      script.wake();
    }

    assertThat(script.answer(new Event.NothingWaiting()).asked())
        .isEqualTo("Await 1 within 10000 ms");
    assertThat(script.rowsCome().asked()).isEqualTo("Read 6 after 5");
  }

  @Test
  void laterReadsWaitForAFullSlotUntilTheFirstRowThatWasSeenHasLingered() {
    WriterScript script = WriterScript.settling().answer(new Event.Settled()).wake();
    for (String until : new String[] {"1000 ms", "1000 ms", "2000 ms", "1000 ms"}) {
      assertThat(((Effect.Read) script.effect(0)).onlyIfFull()).isTrue();
      script.answer(new Event.NotFull(7));
      assertThat(script.asked()).isEqualTo("Await 7 within " + until);
      script.wake();
    }

    assertThat(((Effect.Read) script.effect(0)).onlyIfFull()).isFalse();
  }

  @Test
  void rowsThatCameLaterLingerFromThenOn() {
    WriterScript script = WriterScript.settling().answer(new Event.Settled()).wake();
    script.answer(new Event.NotFull(7)).wake().answer(new Event.NotFull(7)).wake();
    script.answer(new Event.NothingWaiting()).wake();
    for (int look = 0; look < 4; look++) {
      assertThat(((Effect.Read) script.effect(0)).onlyIfFull()).isTrue();
      script.answer(new Event.NotFull(7)).wake();
    }

    assertThat(((Effect.Read) script.effect(0)).onlyIfFull()).isFalse();
  }

  @Test
  void rowsBehindASlotThatDoNotFillTheNextOneLinger() {
    WriterScript script = WriterScript.buildingAhead();
    assertThat(((Effect.Read) script.effect(1)).onlyIfFull()).isTrue();

    script.answer(1, new Event.NotFull(7)).answer(0, new Event.PutCreated());
    script.answer(new Event.Settled());

    assertThat(((Effect.Read) script.effect(0)).onlyIfFull()).isTrue();
    assertThat(script.answer(new Event.NotFull(7)).asked()).isEqualTo("Await 7 within 1000 ms");
  }

  // ---- the chain

  @Test
  void aSlotIsSentAndSettledWithTheChainOfWhatIsBeforeItWhenItIsSent() {
    LogChain six = WriterScript.chain(content(6, true).sha256());
    WriterScript script = WriterScript.buildingAhead();
    assertThat(((Effect.Put) script.effect(0)).chain()).isEqualTo(six);

    script.answer(1, new Event.Built(content(7, false))).answer(0, new Event.PutCreated());
    assertThat(((Effect.Settle) script.effect(0)).chain()).isEqualTo(six);

    script.answer(new Event.Settled());
    LogChain seven = six.then(content(7, false).sha256());
    assertThat(((Effect.Put) script.effect(0)).chain()).isEqualTo(seven);
    script.answer(SILENT).answer(new Event.Missing()).wake();
    assertThat(((Effect.Put) script.effect(0)).chain()).isEqualTo(seven);
  }

  /** Which is told by whoever adopts it. */
  @Test
  void itsOwnContentThatSomebodyWroteBehindOtherSlotsIsAdopted() {
    String mine = content(6, false).sha256();
    LogChain another = LogChain.of(WriterScript.LOG).then(mine);
    Event found =
        new Event.Found(
            new ObjectMetadata(
                "orders",
                WriterScript.LOG,
                6,
                3,
                "host-b",
                1,
                mine,
                another,
                null,
                null,
                Origins.READ_AT));

    assertThat(WriterScript.putting().answer(new Event.PutAlreadyThere()).answer(found).asked())
        .isEqualTo("Adopt 6");
  }

  // ---- building ahead

  @Test
  void theNextSlotIsReadWhileThisOneIsUnderWay() {
    WriterScript script = WriterScript.buildingAhead();

    assertThat(script.asked()).isEqualTo("Put 6, Read 7 after 5");
    assertThat(((Effect.Read) script.effect(1)).position()).isEqualTo(content(6, true).after());
  }

  @Test
  void nothingIsReadAheadIfNothingIsLeft() {
    assertThat(WriterScript.putting().asked()).isEqualTo("Put 6");
  }

  @Test
  void whatWasBuiltAheadIsPlannedByTheSettleAndSentAfterIt() {
    WriterScript script =
        WriterScript.buildingAhead()
            .answer(1, new Event.Built(content(7, true)))
            .answer(0, new Event.PutCreated());
    assertThat(script.asked()).isEqualTo("Settle 6 plan 7");

    script.answer(new Event.Settled());
    assertThat(script.asked()).isEqualTo("Put 7, Read 8 after 6");
  }

  @Test
  void theSettleWaitsForTheReadAhead() {
    WriterScript script = WriterScript.buildingAhead().answer(0, new Event.PutCreated());
    assertThat(script.asked()).isEqualTo("Read 7 after 5");

    assertThat(script.answer(new Event.Built(content(7, false))).asked())
        .isEqualTo("Settle 6 plan 7");
  }

  @Test
  void aReadAheadThatBringsNothingHoldsNothingUp() {
    for (Event event : new Event[] {new Event.NothingWaiting(), FENCED, UNCLEAR, REFUSED}) {
      WriterScript script =
          WriterScript.buildingAhead().answer(1, event).answer(0, new Event.PutCreated());
      assertThat(script.asked()).isEqualTo("Settle 6");
      assertThat(script.answer(new Event.Settled()).asked()).isEqualTo("Read 7 after 6");
    }
  }

  @Test
  void whatWasBuiltAheadIsThrownAwayAfterAnythingButACleanSuccess() {
    for (Event event : new Event[] {new Event.PutAlreadyThere(), SILENT}) {
      WriterScript script =
          WriterScript.buildingAhead()
              .answer(1, new Event.Built(content(7, true)))
              .answer(0, event)
              .answer(foundMine(6, true));

      assertThat(script.asked()).isEqualTo("Settle 6");
    }
  }

  @Test
  void aReadAheadThatComesAfterAConflictIsIgnored() {
    WriterScript script = WriterScript.buildingAhead();
    long ahead = script.ticket(1);
    script.answer(0, new Event.PutAlreadyThere());
    script.answer(0, new Event.Built(content(7, true)));
    assertThat(script.asked()).isEqualTo("Look 6");

    script.answerTicket(ahead, new Event.Built(content(7, true)));
    assertThat(script.answer(foundMine(6, true)).asked()).isEqualTo("Settle 6");
  }

  @Test
  void whatWasPlannedWithASettleThatFailedIsNotSent() {
    for (Event event : new Event[] {FENCED, UNCLEAR, LEASE_ENDED}) {
      WriterScript script =
          WriterScript.buildingAhead()
              .answer(1, new Event.Built(content(7, true)))
              .answer(0, new Event.PutCreated())
              .answer(event);
      if (!(event instanceof Event.Fenced)) {
        script.wake();
      }
      script.answer(new Event.Loaded(WriterScript.HEAD)).answer(new Event.Missing());

      assertThat(script.asked()).isEqualTo("Read 6 after 5");
    }
  }

  @Test
  void aSlotThatIsSentAgainReadsNothingAhead() {
    WriterScript script =
        WriterScript.buildingAhead()
            .answer(1, new Event.NothingWaiting())
            .answer(0, SILENT)
            .answer(new Event.Missing())
            .wake();

    assertThat(script.asked()).isEqualTo("Put 6");
  }

  // ---- stopping

  @Test
  void betweenTwoSlotsAStopIsImmediate() {
    assertThat(WriterScript.reading().stop().asked()).endsWith("Finish STOPPED");
    assertThat(WriterScript.settling().answer(new Event.Settled()).stop().asked())
        .endsWith("Finish STOPPED");
    assertThat(WriterScript.started().answer(UNCLEAR).stop().asked()).endsWith("Finish STOPPED");
  }

  @Test
  void aSlotUnderWayIsFinishedFirst() {
    WriterScript script = WriterScript.putting().stop();
    assertThat(script.asked()).isEqualTo("Put 6");

    script.answer(new Event.PutCreated()).answer(new Event.Settled());
    assertThat(script.asked()).isEqualTo("Finish STOPPED");
  }

  @Test
  void aStopBeginsNoSlotThatWasBuiltAhead() {
    WriterScript planned =
        WriterScript.buildingAhead()
            .answer(1, new Event.Built(content(7, true)))
            .stop()
            .answer(0, new Event.PutCreated());
    assertThat(planned.asked()).isEqualTo("Settle 6");

    WriterScript settling =
        WriterScript.buildingAhead()
            .answer(1, new Event.Built(content(7, true)))
            .answer(0, new Event.PutCreated())
            .stop()
            .answer(new Event.Settled());
    assertThat(settling.asked()).isEqualTo("Finish STOPPED");
  }

  @Test
  void aStopDoesNotWaitForADatabaseThatGivesNoAnswer() {
    assertThat(WriterScript.settling().stop().answer(UNCLEAR).asked()).isEqualTo("Finish STOPPED");
  }

  @Test
  void aRecoveryUnderWayEndsBeforeTheNextSlot() {
    WriterScript script = At.LOOKING_AHEAD_OF_LOG.script().stop();

    assertThat(script.answer(new Event.Missing()).asked()).isEqualTo("Finish STOPPED");
  }

  @Test
  void afterTheEndNothingHasAnEffect() {
    WriterScript script = WriterScript.started();
    long load = script.ticket(0);
    script.answer(new Event.NotOurs("epoch 4"));

    script.answerTicket(load, new Event.Loaded(WriterScript.HEAD)).stop();

    assertThat(script.asked()).startsWith("Finish STEPPED_DOWN");
    assertThat(script.asked()).doesNotContain("Check", "Load");
  }

  @Test
  void anAnswerThatCameTwiceCountsOnce() {
    WriterScript script = WriterScript.putting();
    long put = script.ticket(0);
    script.answer(new Event.PutCreated());
    script.answerTicket(put, new Event.PutAlreadyThere());

    assertThat(script.asked()).isEqualTo("Settle 6");
  }
}
