package dev.recorder.slotlog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.LineEncoder;
import dev.recorder.handoff.Position;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Term;
import dev.recorder.slotlog.Event.LedgerEvent;
import dev.recorder.testing.Origins;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the slot log relies on in a {@link Ledger}, whatever stands behind it. */
public abstract class LedgerContract {
  private static final Rotation ROOMY = new Rotation(100, 1_000_000);
  private static final Rotation TWO_ROWS = new Rotation(2, 1_000_000);
  private static final Pattern NUMBER = Pattern.compile("\"n\": ?(\\d+)");

  private LedgerFixture fixture;
  private Term term;
  private Ledger ledger;

  /** A fixture with a recorder that nobody has held and no rows. */
  protected abstract LedgerFixture newFixture();

  @BeforeEach
  void beginATerm() {
    fixture = newFixture();
    term = fixture.beginTerm("a");
    ledger = open(term, ROOMY);
  }

  @AfterEach
  void closeTheFixture() {
    fixture.close();
  }

  // ---- load

  @Test
  protected void loadsTheLogForTheTermInTheRow() {
    assertThat(ledger.load()).isEqualTo(new Event.Loaded(head(Position.START, new String[0])));
  }

  @Test
  protected void loadsNothingForATermThatIsOver() {
    fixture.beginTerm("b");

    assertThat(ledger.load()).isInstanceOf(Event.NotOurs.class);
  }

  @Test
  protected void loadsNothingForAnEarlierTermOfTheSameMachine() {
    fixture.beginTerm("a");

    assertThat(ledger.load()).isInstanceOf(Event.NotOurs.class);
  }

  // ---- read

  @Test
  protected void saysThatNothingIsWaiting() {
    assertThat(readFirst()).isEqualTo(new Event.NothingWaiting());
  }

  @Test
  protected void readsRowsInTheOrderOfTransactionsAndWithinThemOfInsertion() {
    fixture.begin(1);
    insert(1, 11);
    fixture.begin(2);
    insert(2, 21);
    insert(1, 12);
    insert(2, 22);
    fixture.commit(2);
    fixture.commit(1);

    SlotContent content = built(readFirst());

    assertThat(numbers(content)).containsExactly(11, 12, 21, 22);
    assertThat(content.slot()).isEqualTo(1);
    assertThat(content.extent().rows()).isEqualTo(4);
    assertThat(content.window().complete()).isTrue();
    assertThat(content.more()).isFalse();
  }

  @Test
  protected void aRunningTransactionDelaysOnlyItsOwnRows() {
    fixture.begin(1);
    insert(1, 11);
    commitRow(2, 21);

    SlotContent first = built(readFirst());
    assertThat(numbers(first)).containsExactly(21);
    settle(first);
    commitRow(3, 31);
    fixture.commit(1);

    SlotContent second = built(read(2, first.after()));
    assertThat(numbers(second)).containsExactly(11, 31);
    settle(second);
    assertThat(read(3, second.after())).isEqualTo(new Event.NothingWaiting());
  }

  @Test
  protected void readsNothingOfARecorderThatIsPausedAndThenAllThatCame() {
    commitRow(1, 11);
    fixture.pause(true);
    commitRow(2, 21);
    assertThat(readFirst()).isEqualTo(new Event.Paused());

    fixture.pause(false);
    assertThat(numbers(built(readFirst()))).containsExactly(11, 21);
  }

  @Test
  protected void whatWasReadBeforeAPauseIsPlannedAndSettledInIt() {
    commitRow(1, 11);
    SlotContent first = built(readFirst());
    fixture.pause(true);
    settle(first);

    assertThat(fixture.head().lastSlot()).isEqualTo(1);
    assertThat(read(2, first.after())).isEqualTo(new Event.Paused());
  }

  @Test
  protected void aTransactionThatWroteNothingYetIsReadOnceItHasCommitted() {
    fixture.begin(1);
    commitRow(2, 21);
    SlotContent first = built(readFirst());
    settle(first);
    insert(1, 11);
    fixture.commit(1);

    assertThat(numbers(built(read(2, first.after())))).containsExactly(11);
  }

  @Test
  protected void neverReadsWhatWasAborted() {
    fixture.begin(1);
    insert(1, 11);
    fixture.abort(1);

    assertThat(readFirst()).isEqualTo(new Event.NothingWaiting());
  }

  @Test
  protected void goesOnInTheSameWindowUntilItIsUsedUp() {
    Ledger small = open(term, TWO_ROWS);
    fixture.begin(1);
    insert(1, 11);
    insert(1, 12);
    insert(1, 13);
    fixture.commit(1);

    SlotContent first = built(small.read(new Effect.Read(1, 0, Position.START, false)));
    assertThat(numbers(first)).containsExactly(11, 12);
    assertThat(first.more()).isTrue();
    assertThat(first.after().open()).isEqualTo(first.window().to());
    settleOn(small, first);

    // Committed after the window was opened: not part of it, however much room there is.
    commitRow(2, 21);
    SlotContent second = built(small.read(new Effect.Read(2, 1, first.after(), false)));
    assertThat(numbers(second)).containsExactly(13);
    assertThat(second.window().to()).isEqualTo(first.window().to());
    assertThat(second.more()).isFalse();
    settleOn(small, second);

    SlotContent third = built(small.read(new Effect.Read(3, 2, second.after(), false)));
    assertThat(numbers(third)).containsExactly(21);
  }

  @Test
  protected void cutsByBytesButTakesOneRowHoweverLarge() {
    Ledger tiny = open(term, new Rotation(100, 10));
    fixture.begin(1);
    insert(1, 11);
    insert(1, 12);
    fixture.commit(1);

    SlotContent content = built(tiny.read(new Effect.Read(1, 0, Position.START, false)));

    assertThat(numbers(content)).containsExactly(11);
    assertThat(content.more()).isTrue();
  }

  @Test
  protected void leavesRowsWaitingThatDoNotFillASlotIfAFullOneIsWanted() {
    commitRow(1, 11);
    assertThat(ledger.read(new Effect.Read(1, 0, Position.START, true)))
        .isInstanceOf(Event.NotFull.class);

    Ledger small = open(term, TWO_ROWS);
    commitRow(2, 21);
    commitRow(3, 31);
    assertThat(numbers(built(small.read(new Effect.Read(1, 0, Position.START, true)))))
        .containsExactly(11, 21);
  }

  @Test
  protected void buildsTheNextSlotAheadWhileTheOneBeforeIsNotSettled() {
    Ledger small = open(term, TWO_ROWS);
    fixture.begin(1);
    insert(1, 11);
    insert(1, 12);
    insert(1, 13);
    fixture.commit(1);
    SlotContent first = built(small.read(new Effect.Read(1, 0, Position.START, false)));
    small.plan(first);

    SlotContent ahead = built(small.read(new Effect.Read(2, 0, first.after(), false)));

    assertThat(numbers(ahead)).containsExactly(13);
    assertThat(small.settle(settling(first, ahead))).isEqualTo(new Event.Settled());
    assertThat(planned(2)).containsExactly(ahead.sha256());
    assertThat(small.settle(settling(ahead, null))).isEqualTo(new Event.Settled());
    assertThat(fixture.head()).isEqualTo(head(ahead.after(), first, ahead));
  }

  @Test
  protected void doesNotReadForATermThatIsOver() {
    commitRow(1, 11);
    fixture.beginTerm("b");

    assertThat(readFirst()).isEqualTo(new Event.Fenced());
  }

  @Test
  protected void doesNotReadWhenTheLogStandsElsewhere() {
    commitRow(1, 11);

    assertThat(read(3, Position.START)).isEqualTo(new Event.Fenced());
  }

  @Test
  protected void refusesAPositionThatTheDatabaseHasNotReached() {
    commitRow(1, 11);
    Position future = Position.doneUpTo(Snapshot.parse("999999999:999999999:"));

    assertThat(read(1, future)).isInstanceOf(Event.DatabaseRefused.class);
  }

  // ---- plan

  @Test
  protected void plansASlotOnce() {
    commitRow(1, 11);
    SlotContent content = built(readFirst());

    assertThat(ledger.plan(content)).isEqualTo(new Event.Planned());
    assertThat(ledger.plan(content)).isEqualTo(new Event.Planned());

    assertThat(fixture.planned(1))
        .containsExactly(new LedgerFixture.PlannedSlot(content.sha256(), true, 1));
    assertThat(fixture.head().lastSlot()).isZero();
  }

  @Test
  protected void plansNothingForATermThatIsOver() {
    commitRow(1, 11);
    SlotContent content = built(readFirst());
    fixture.beginTerm("b");

    assertThat(ledger.plan(content)).isEqualTo(new Event.Fenced());
    assertThat(fixture.planned(1)).isEmpty();
  }

  @Test
  protected void plansNothingThatAnotherSessionHasRead() {
    commitRow(1, 11);
    SlotContent content = built(readFirst());

    assertThat(open(term, ROOMY).plan(content)).isInstanceOf(Event.DatabaseUnclear.class);
    assertThat(fixture.planned(1)).isEmpty();
  }

  @Test
  protected void plansTheSameSlotAgainWithOtherContentAfterATakeover() {
    commitRow(1, 11);
    SlotContent before = built(readFirst());
    ledger.plan(before);
    commitRow(2, 21);
    Ledger next = open(fixture.beginTerm("b"), ROOMY);

    SlotContent after = built(next.read(new Effect.Read(1, 0, Position.START, false)));

    assertThat(next.plan(after)).isEqualTo(new Event.Planned());
    assertThat(planned(1)).containsExactlyInAnyOrder(before.sha256(), after.sha256());
  }

  @Test
  protected void tellsTheWindowUnderWhichTheSameContentWasPlannedBefore() {
    commitRow(1, 11);
    SlotContent before = built(readFirst());
    ledger.plan(before);
    fixture.begin(2);
    fixture.insert(2, "k", "{}");
    fixture.abort(2);
    Ledger next = open(fixture.beginTerm("b"), ROOMY);
    SlotContent after = built(next.read(new Effect.Read(1, 0, Position.START, false)));
    assertThat(after.sha256()).isEqualTo(before.sha256());
    assertThat(after.window()).isNotEqualTo(before.window());

    assertThat(next.plan(after)).isEqualTo(new Event.Planned(before.window()));
  }

  // ---- settle

  @Test
  protected void settlesASlotExactlyOnce() {
    commitRow(1, 11);
    SlotContent content = built(readFirst());
    ledger.plan(content);

    assertThat(ledger.settle(settling(content, null))).isEqualTo(new Event.Settled());
    assertThat(ledger.settle(settling(content, null))).isEqualTo(new Event.Fenced());

    assertThat(fixture.head()).isEqualTo(head(content.after(), content));
    assertThat(ledger.load()).isEqualTo(new Event.Loaded(fixture.head()));
  }

  @Test
  protected void settlesNothingForATermThatIsOver() {
    commitRow(1, 11);
    SlotContent content = built(readFirst());
    ledger.plan(content);
    fixture.beginTerm("b");

    assertThat(ledger.settle(settling(content, null))).isEqualTo(new Event.Fenced());
    assertThat(fixture.head().lastSlot()).isZero();
  }

  @Test
  protected void plansNoNextSlotWithoutSettlingTheOneBefore() {
    Ledger small = open(term, TWO_ROWS);
    fixture.begin(1);
    insert(1, 11);
    insert(1, 12);
    insert(1, 13);
    fixture.commit(1);
    SlotContent first = built(small.read(new Effect.Read(1, 0, Position.START, false)));
    small.plan(first);
    SlotContent ahead = built(small.read(new Effect.Read(2, 0, first.after(), false)));
    fixture.beginTerm("b");

    assertThat(small.settle(settling(first, ahead))).isEqualTo(new Event.Fenced());
    assertThat(fixture.planned(2)).isEmpty();
  }

  @Test
  protected void settlesNothingThatAnotherSessionHasPlanned() {
    commitRow(1, 11);
    SlotContent content = built(readFirst());
    ledger.plan(content);

    assertThat(open(term, ROOMY).settle(settling(content, null)))
        .isInstanceOf(Event.DatabaseUnclear.class);
    assertThat(fixture.head().lastSlot()).isZero();
  }

  // ---- adopt

  @Test
  protected void adoptsASlotThatThisDatabasePlannedByItsWindow() {
    commitRow(1, 11);
    SlotContent content = built(readFirst());
    ledger.plan(content);
    ObjectMetadata object = put(content, term);
    Term next = fixture.beginTerm("b");
    Ledger successor = open(next, ROOMY);

    assertThat(successor.adopt(new Effect.Adopt(fixture.head(), object)))
        .isEqualTo(new Event.Adopted(head(content.after(), content), Adoption.byWindow(1)));

    assertThat(fixture.head()).isEqualTo(head(content.after(), content));
    commitRow(2, 21);
    assertThat(numbers(built(successor.read(new Effect.Read(2, 1, content.after(), false)))))
        .containsExactly(21);
  }

  @Test
  protected void adoptsASlotInTheMiddleOfAWindow() {
    Ledger small = open(term, TWO_ROWS);
    fixture.begin(1);
    insert(1, 11);
    insert(1, 12);
    insert(1, 13);
    insert(1, 14);
    insert(1, 15);
    fixture.commit(1);
    SlotContent first = built(small.read(new Effect.Read(1, 0, Position.START, false)));
    settleOn(small, first);
    SlotContent second = built(small.read(new Effect.Read(2, 1, first.after(), false)));
    small.plan(second);
    ObjectMetadata object = put(second, term);
    Ledger successor = open(fixture.beginTerm("b"), TWO_ROWS);

    assertThat(successor.adopt(new Effect.Adopt(fixture.head(), object)))
        .isEqualTo(new Event.Adopted(head(second.after(), first, second), Adoption.byWindow(2)));
    assertThat(numbers(built(successor.read(new Effect.Read(3, 2, second.after(), false)))))
        .containsExactly(15);
  }

  @Test
  protected void aSuccessorInTheMiddleOfAWindowGoesOnWithItAndSaysWhereItEnds() {
    Ledger small = open(term, TWO_ROWS);
    fixture.begin(1);
    insert(1, 11);
    insert(1, 12);
    insert(1, 13);
    fixture.commit(1);
    SlotContent first = built(small.read(new Effect.Read(1, 0, Position.START, false)));
    small.plan(first);
    ObjectMetadata before = put(first, term);
    commitRow(2, 21); // Not seen yet when the window was read.
    Term next = fixture.beginTerm("b");
    Ledger successor = open(next, TWO_ROWS);
    successor.adopt(new Effect.Adopt(fixture.head(), before));

    SlotContent second = built(successor.read(new Effect.Read(2, 1, first.after(), false)));
    ObjectMetadata after = put(second, next);

    assertThat(numbers(second)).containsExactly(13);
    WindowPart open = WindowPart.of(first.window());
    assertThat(open.ends()).isFalse();
    assertThat(before.window()).isEqualTo(open);
    assertThat(after.window()).isEqualTo(new WindowPart(open.from(), open.to(), true));
  }

  @Test
  protected void adoptsASlotThatThisDatabaseNeverPlannedByItsRows() {
    commitRow(1, 11);
    SlotContent content = built(readFirst());
    ObjectMetadata object = put(content, term); // as if the plan had been lost
    commitRow(2, 21);

    assertThat(ledger.adopt(new Effect.Adopt(fixture.head(), object)))
        .isEqualTo(
            new Event.Adopted(head(Position.START, object.sha256()), new Adoption(true, 1, 1)));

    assertThat(fixture.head()).isEqualTo(head(Position.START, object.sha256()));
    assertThat(fixture.planned(1))
        .containsExactly(new LedgerFixture.PlannedSlot(content.sha256(), false, 1));
    SlotContent next = built(read(2, Position.START));
    assertThat(numbers(next)).containsExactly(21);
    settle(next);
    commitRow(3, 31);
    assertThat(numbers(built(read(3, next.after())))).containsExactly(31);
  }

  @Test
  protected void refusesASlotThatThisDatabaseNeverPlannedAndCannotHaveLost() {
    SlotContent first = settledFirst();
    DatabaseIdentity here = fixture.database();
    DatabaseIdentity copy =
        new DatabaseIdentity("copy:5432/app", here.system(), here.oid(), here.timeline());
    LogHead head = fixture.head();
    ObjectMetadata object = put(2, line(row(21)), 1, copy);

    assertThat(ledger.adopt(new Effect.Adopt(head, object)))
        .isInstanceOfSatisfying(
            Event.DatabaseRefused.class,
            refused ->
                assertThat(refused.why())
                    .contains("slot 2 of recorder orders", "by a in epoch 1", "copy:5432/app")
                    .contains("two databases write one log", "'recorder rebase orders'"));
    assertThat(ledger.adopt(new Effect.Adopt(head, put(3, line(row(21)), 1))))
        .isInstanceOf(Event.DatabaseRefused.class);
    assertThat(fixture.head()).isEqualTo(head(first.after(), first));
  }

  @Test
  protected void adoptsByItsRowsWhatWasLostSinceTheServersTimelineChanged() {
    SlotContent first = settledFirst();
    DatabaseIdentity here = fixture.database();
    ObjectMetadata lost = put(2, line(row(21)), 1);
    ObjectMetadata others =
        put(3, line(row(31)), 1, new DatabaseIdentity(here.name(), here.system(), 5, 1));
    fixture.beginTimeline();

    assertThat(ledger.load()).isInstanceOf(Event.Loaded.class);
    assertThat(ledger.adopt(new Effect.Adopt(fixture.head(), lost)))
        .isEqualTo(
            new Event.Adopted(
                head(first.after(), first.sha256(), lost.sha256()), new Adoption(true, 1, 0)));
    assertThat(ledger.adopt(new Effect.Adopt(fixture.head(), others)))
        .isInstanceOf(Event.DatabaseRefused.class);
  }

  @Test
  protected void nothingMoreIsLostOnceASlotWasSettledOnTheNewTimeline() {
    SlotContent first = settledFirst();
    fixture.beginTimeline();
    ledger.load();
    commitRow(2, 21);
    settle(built(read(2, first.after())));

    assertThat(ledger.adopt(new Effect.Adopt(fixture.head(), put(3, line(row(31)), 1))))
        .isInstanceOf(Event.DatabaseRefused.class);
  }

  @Test
  protected void adoptsByTheirRowsAllThatWasLostSinceTheServerWasStarted() {
    SlotContent first = settledFirst();
    fixture.restart();
    ledger.load();

    for (long lost = 2; lost < 5; lost++) {
      assertThat(adoptLost(lost))
          .isEqualTo(new Event.Adopted(fixture.head(), new Adoption(true, 1, 0)));
    }
    commitRow(2, 51);
    settle(built(read(5, first.after())));
    assertThat(adoptLost(6)).isInstanceOf(Event.DatabaseRefused.class);
  }

  /** Storage that was set back may have the plan of the first slot that it lost. */
  @Test
  protected void adoptsByItsRowsWhatWasLostBehindASlotThatWasPlanned() {
    SlotContent first = settledFirst();
    commitRow(2, 21);
    SlotContent planned = built(read(2, first.after()));
    ledger.plan(planned);
    ObjectMetadata object = put(planned, term);
    fixture.restart();
    ledger.load();

    assertThat(ledger.adopt(new Effect.Adopt(fixture.head(), object)))
        .isEqualTo(new Event.Adopted(head(planned.after(), first, planned), Adoption.byWindow(1)));
    assertThat(adoptLost(3)).isEqualTo(new Event.Adopted(fixture.head(), new Adoption(true, 1, 0)));
  }

  /** Where both servers have read the same rows, each has planned what the other one wrote. */
  @Test
  protected void refusesWhatALaterTimelineWroteAlsoIfItWasPlannedHere() {
    commitRow(1, 11);
    SlotContent content = built(readFirst());
    ledger.plan(content);
    LogHead head = fixture.head();
    DatabaseIdentity here = fixture.database();
    DatabaseIdentity successor =
        new DatabaseIdentity(here.name(), here.system(), here.oid(), here.timeline() + 1);

    assertThat(ledger.adopt(new Effect.Adopt(head, put(readFrom(successor, content), term))))
        .isInstanceOfSatisfying(
            Event.DatabaseRefused.class,
            refused -> assertThat(refused.why()).contains("another one has taken over from it"));
    assertThat(fixture.head()).isEqualTo(head);
  }

  private static SlotContent readFrom(DatabaseIdentity database, SlotContent content) {
    return new SlotContent(
        content.slot(),
        new SlotContent.Origin(content.origin().session(), database),
        content.readAt(),
        content.window(),
        content.extent(),
        content.sha256(),
        content.body(),
        content.bytes(),
        content.more());
  }

  protected final LedgerFixture fixture() {
    return fixture;
  }

  /** An object of this database of which it has neither plan nor rows. */
  protected final LedgerEvent adoptLost(long slot) {
    return ledger.adopt(new Effect.Adopt(fixture.head(), put(slot, line(row(21)), 1)));
  }

  protected final SlotContent settledFirst() {
    commitRow(1, 11);
    SlotContent first = built(readFirst());
    settle(first);
    return first;
  }

  private static HandoffRow row(int n) {
    return new HandoffRow(n, 9_000_000_000L, 0, null, "{\"n\": " + n + "}");
  }

  @Test
  protected void adoptsNoRowThatOnlyBearsTheSameNumbers() {
    commitRow(1, 11);
    commitRow(2, 21);
    SlotContent content = built(readFirst());
    // The lost history gave the numbers of the second row to another one.
    ObjectMetadata object = put(1, lines(content).replaceAll("(\"n\": ?)21", "$199"), 2);

    assertThat(ledger.adopt(new Effect.Adopt(fixture.head(), object)))
        .isEqualTo(
            new Event.Adopted(head(Position.START, object.sha256()), new Adoption(true, 2, 1)));

    assertThat(numbers(built(read(2, Position.START)))).containsExactly(21);
  }

  @Test
  protected void doesNotAdoptByRowsWhatAPreparedTransactionMayHold() {
    fixture.begin(1);
    HandoffRow row = insert(1, 11);
    fixture.prepare(1);
    // The lost history had the second phase too, and recorded the row.
    LogHead head = fixture.head();
    ObjectMetadata object = put(1, line(row), 1);

    assertThat(ledger.adopt(new Effect.Adopt(head, object)))
        .isInstanceOf(Event.DatabaseUnclear.class);
    assertThat(fixture.head()).isEqualTo(head);

    fixture.commitPrepared(1);
    assertThat(ledger.adopt(new Effect.Adopt(head, object)))
        .isEqualTo(
            new Event.Adopted(head(Position.START, object.sha256()), new Adoption(true, 1, 1)));
    assertThat(read(2, Position.START)).isEqualTo(new Event.NothingWaiting());
  }

  @Test
  protected void aPlanOfOtherContentDoesNotVouchForAnObject() {
    commitRow(1, 11);
    SlotContent planned = built(readFirst());
    ledger.plan(planned);
    commitRow(2, 21);
    SlotContent other = built(readFirst());
    ObjectMetadata object = put(other, term);

    LedgerEvent event = ledger.adopt(new Effect.Adopt(fixture.head(), object));

    assertThat(event)
        .isEqualTo(
            new Event.Adopted(head(Position.START, object.sha256()), new Adoption(true, 2, 2)));
    assertThat(read(2, Position.START)).isEqualTo(new Event.NothingWaiting());
  }

  @Test
  protected void adoptsNothingForATermThatIsOver() {
    commitRow(1, 11);
    SlotContent content = built(readFirst());
    ledger.plan(content);
    ObjectMetadata object = put(content, term);
    LogHead head = fixture.head();
    fixture.beginTerm("b");

    assertThat(ledger.adopt(new Effect.Adopt(head, object))).isEqualTo(new Event.Fenced());
    assertThat(fixture.head()).isEqualTo(head);
  }

  /** Its own chain is of what was before it when it was written, which may have been replaced. */
  @Test
  protected void theChainOfAnAdoptedSlotIsOfItsContentWhateverTheObjectSays() {
    SlotContent first = settledFirst();
    commitRow(2, 21);
    SlotContent second = built(read(2, first.after()));
    ledger.plan(second);
    SlotStore slots = new SlotStore(fixture.store(), fixture.layout(), term);
    slots.put(second, LogChain.of(term.log()).then("another").then(second.sha256()));
    ObjectMetadata planned = ((Event.Found) slots.look(2)).object();

    assertThat(ledger.adopt(new Effect.Adopt(fixture.head(), planned)))
        .isEqualTo(new Event.Adopted(head(second.after(), first, second), Adoption.byWindow(1)));
    fixture.restart();
    ledger.load();
    ObjectMetadata lost = put(3, line(row(31)), 1);
    assertThat(ledger.adopt(new Effect.Adopt(fixture.head(), lost)))
        .isInstanceOf(Event.Adopted.class);
    assertThat(fixture.head())
        .isEqualTo(head(second.after(), first.sha256(), second.sha256(), lost.sha256()));
    assertThat(ledger.load()).isEqualTo(new Event.Loaded(fixture.head()));
  }

  @Test
  protected void adoptsASlotExactlyOnce() {
    commitRow(1, 11);
    SlotContent content = built(readFirst());
    LogHead head = fixture.head();
    ObjectMetadata object = put(content, term);
    ledger.adopt(new Effect.Adopt(head, object));

    assertThat(ledger.adopt(new Effect.Adopt(head, object))).isEqualTo(new Event.Fenced());
    assertThat(fixture.head().lastSlot()).isEqualTo(1);
  }

  // ---- sessions

  @Test
  protected void isUnclearOnceAfterItsSessionHasEnded() {
    ledger.load();
    fixture.endDataSessions(term);

    assertThat(ledger.load()).isInstanceOf(Event.DatabaseUnclear.class);
    assertThat(ledger.load()).isInstanceOf(Event.Loaded.class);
  }

  @Test
  protected void doesNothingOnANewSessionBeforeALoad() {
    commitRow(1, 11);
    LogHead head = fixture.head();
    ObjectMetadata object = put(built(readFirst()), term);
    fixture.endDataSessions(term);

    assertThat(readFirst()).isInstanceOf(Event.DatabaseUnclear.class);
    assertThat(readFirst()).isInstanceOf(Event.DatabaseUnclear.class);
    assertThat(ledger.adopt(new Effect.Adopt(head, object)))
        .isInstanceOf(Event.DatabaseUnclear.class);
    assertThat(fixture.head()).isEqualTo(head);

    assertThat(ledger.load()).isInstanceOf(Event.Loaded.class);
    assertThat(readFirst()).isInstanceOf(Event.Built.class);
  }

  @Test
  protected void neitherPlansNorSettlesOnANewSessionWhatTheOldOneRead() {
    commitRow(1, 11);
    SlotContent content = built(readFirst());
    fixture.endDataSessions(term);
    ledger.load();
    ledger.load();

    assertThat(ledger.plan(content)).isInstanceOf(Event.DatabaseUnclear.class);
    assertThat(ledger.settle(settling(content, null))).isInstanceOf(Event.DatabaseUnclear.class);
    assertThat(fixture.planned(1)).isEmpty();
    assertThat(fixture.head().lastSlot()).isZero();
  }

  // ---- short forms

  /** A ledger that has loaded. */
  private Ledger open(Term owner, Rotation rotation) {
    Ledger opened = fixture.open(owner, rotation);
    assertThat(opened.load()).isInstanceOf(Event.Loaded.class);
    return opened;
  }

  /** The log with these contents. */
  private LogHead head(Position position, SlotContent... contents) {
    return head(position, Stream.of(contents).map(SlotContent::sha256).toArray(String[]::new));
  }

  private LogHead head(Position position, String... hashes) {
    LogChain chain = LogChain.of(term.log());
    for (String sha256 : hashes) {
      chain = chain.then(sha256);
    }
    return new LogHead(hashes.length, 1, chain, position);
  }

  private LogChain chain() {
    return fixture.head().chain();
  }

  private Effect.Settle settling(SlotContent content, @Nullable SlotContent next) {
    return new Effect.Settle(content, chain().then(content.sha256()), next);
  }

  private HandoffRow insert(int transaction, int number) {
    return fixture.insert(transaction, "k", "{\"n\":" + number + "}");
  }

  private void commitRow(int transaction, int number) {
    fixture.begin(transaction);
    insert(transaction, number);
    fixture.commit(transaction);
  }

  private LedgerEvent readFirst() {
    return read(1, Position.START);
  }

  private LedgerEvent read(long slot, Position position) {
    return ledger.read(new Effect.Read(slot, slot - 1, position, false));
  }

  private static SlotContent built(LedgerEvent event) {
    assertThat(event).isInstanceOf(Event.Built.class);
    return ((Event.Built) event).content();
  }

  private void settle(SlotContent content) {
    settleOn(ledger, content);
  }

  private void settleOn(Ledger ledger, SlotContent content) {
    assertThat(ledger.plan(content)).isEqualTo(new Event.Planned());
    assertThat(ledger.settle(settling(content, null))).isEqualTo(new Event.Settled());
  }

  private List<String> planned(long slot) {
    return fixture.planned(slot).stream().map(LedgerFixture.PlannedSlot::sha256).toList();
  }

  private ObjectMetadata put(SlotContent content, Term writer) {
    SlotStore slots = new SlotStore(fixture.store(), fixture.layout(), writer);
    assertThat(slots.put(content, chain().then(content.sha256())))
        .isEqualTo(new Event.PutCreated());
    return ((Event.Found) slots.look(content.slot())).object();
  }

  /** Puts an object with these lines, such as another history would have written. */
  private ObjectMetadata put(long slot, String lines, int rows) {
    return put(slot, lines, rows, fixture.database());
  }

  private ObjectMetadata put(long slot, String lines, int rows, DatabaseIdentity writer) {
    byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
    String sha256 = HexFormat.of().formatHex(SlotContentBuilder.sha256().digest(bytes));
    ObjectMetadata metadata =
        new ObjectMetadata(
            fixture.layout().recorder().value(),
            term.log(),
            slot,
            1,
            "a",
            rows,
            sha256,
            chain().then(sha256),
            writer,
            null,
            Origins.READ_AT);
    fixture.store().putIfAbsent(fixture.layout().slotKey(slot), pack(bytes), metadata.asMap());
    return metadata;
  }

  private byte[] pack(byte[] bytes) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream packing = fixture.layout().compression().packing(packed)) {
      packing.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }

  private static String line(HandoffRow row) {
    return new String(new LineEncoder().encode(row), StandardCharsets.UTF_8);
  }

  private String lines(SlotContent content) {
    try (var unpacked = fixture.layout().compression().unpacking(content.body())) {
      return new String(unpacked.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Integer> numbers(SlotContent content) {
    Matcher number = NUMBER.matcher(lines(content));
    return number.results().map(found -> Integer.valueOf(found.group(1))).toList();
  }
}
