package dev.recorder.slotlog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.Position;
import dev.recorder.testing.Origins;
import org.junit.jupiter.api.Test;

class WriterProgressTest {
  private static final Effect READ = new Effect.Read(1, 0, Position.START, false);
  private static final Effect LOOK = new Effect.Look(1);
  private final WriterProgress progress = new WriterProgress(10);

  @Test
  void countsFromTheBeginning() {
    assertThat(progress.at()).isEqualTo(10);
  }

  @Test
  void aWriterThatFindsNothingToDoGetsOn() {
    progress.note(READ, new Event.NothingWaiting(), 20);

    assertThat(progress.at()).isEqualTo(20);
  }

  @Test
  void aWriterThatIsPausedIsNotStuckWhateverBecameOfItsSlot() {
    Effect put = new Effect.Put(WriterScript.content(1, false), Origins.CHAIN);
    progress.note(put, new Event.StoreUnclear("500"), 20);
    progress.note(READ, new Event.Paused(), 30);
    assertThat(progress.at()).isEqualTo(30);

    progress.note(READ, new Event.NothingWaiting(), 40);
    assertThat(progress.at()).isEqualTo(30);
  }

  @Test
  void failuresAndLooksAreNoProgressHoweverMany() {
    progress.note(LOOK, new Event.Missing(), 20);
    progress.note(new Effect.Load(), new Event.DatabaseUnclear("gone"), 30);

    assertThat(progress.at()).isEqualTo(10);
  }

  @Test
  void rowsThatLingerForAFullerSlotAreNoHaltHoweverLongTheyMay() {
    progress.note(READ, new Event.NotFull(1), 20);
    assertThat(progress.at()).isEqualTo(20);

    progress.note(
        new Effect.Plan(WriterScript.content(1, false)), new Event.DatabaseUnclear("gone"), 30);
    progress.note(READ, new Event.NotFull(1), 40);
    assertThat(progress.at()).isEqualTo(20);
  }

  @Test
  void anEmptyReadAheadOfASlotThatDoesNotGetOnIsNoProgress() {
    Effect put = new Effect.Put(WriterScript.content(1, false), Origins.CHAIN);
    progress.note(put, new Event.StoreUnclear("500"), 20);
    progress.note(READ, new Event.NothingWaiting(), 30);

    assertThat(progress.at()).isEqualTo(10);
  }

  @Test
  void aSettledSlotIsProgressAndSoIsAnAdoptedOne() {
    Effect put = new Effect.Put(WriterScript.content(1, false), Origins.CHAIN);
    progress.note(put, new Event.PutCreated(), 20);
    progress.note(put, new Event.Settled(), 30);
    assertThat(progress.at()).isEqualTo(30);

    progress.note(READ, new Event.NothingWaiting(), 40);
    assertThat(progress.at()).isEqualTo(40);

    progress.note(
        LOOK,
        new Event.Adopted(
            new LogHead(2, 1, Origins.CHAIN, Position.START), new Adoption(false, 1, 1)),
        50);
    assertThat(progress.at()).isEqualTo(50);
  }

  /** The answer to a settle was lost: the slot is settled, and nothing waits. */
  @Test
  void whatTurnsOutToBeSettledIsUnderWayNoMore() {
    Effect put = new Effect.Put(WriterScript.content(1, false), Origins.CHAIN);
    progress.note(put, new Event.PutCreated(), 20);
    progress.note(put, new Event.DatabaseUnclear("gone"), 30);
    assertThat(progress.note(READ, new Event.NothingWaiting(), 35)).isFalse();
    progress.note(
        new Effect.Load(), new Event.Loaded(new LogHead(1, 1, Origins.CHAIN, Position.START)), 40);

    assertThat(progress.note(READ, new Event.NothingWaiting(), 50)).isTrue();
    assertThat(progress.ownProgressAt()).isEqualTo(50);
  }

  @Test
  void aSlotThatCannotBePlannedIsUnderWayStillWhenItsRowsLingerAnew() {
    Effect plan = new Effect.Plan(WriterScript.content(1, false));
    for (int i = 20; i < 100; i += 20) {
      progress.note(plan, new Event.DatabaseUnclear("no right", true), i);
      progress.note(
          new Effect.Load(),
          new Event.Loaded(new LogHead(0, 1, Origins.CHAIN, Position.START)),
          i + 5);
      assertThat(progress.note(READ, new Event.NotFull(1), i + 10)).isFalse();
    }

    assertThat(progress.ownProgressAt()).isEqualTo(10);
  }

  /** An operator is told for how long nothing has come of it, whoever could do better. */
  @Test
  void whatKeepsEveryHostFromItIsNoProgressOfItsOwn() {
    progress.note(READ, new Event.NothingWaiting(), 20);
    progress.note(READ, new Event.DatabaseUnclear("a table is locked", true), 2_000);

    assertThat(progress.ownProgressAt()).isEqualTo(20);
  }

  @Test
  void aPauseIsNothingToDoUnlessASlotIsUnderWay() {
    progress.note(READ, new Event.Paused(), 20);
    assertThat(progress.ownProgressAt()).isEqualTo(20);

    Effect put = new Effect.Put(WriterScript.content(1, false), Origins.CHAIN);
    progress.note(put, new Event.StoreUnclear("500"), 30);
    progress.note(READ, new Event.Paused(), 40);
    assertThat(progress.ownProgressAt()).isEqualTo(20);
    assertThat(progress.at()).isEqualTo(40);

    progress.note(put, new Event.Settled(), 50);
    assertThat(progress.ownProgressAt()).isEqualTo(50);
  }

  @Test
  void whatKeepsEveryHostFromItIsNoLackOfProgressHere() {
    progress.note(new Effect.Load(), new Event.DatabaseUnclear("it is cut off"), 1_000);
    assertThat(progress.at()).isNotEqualTo(1_000);

    progress.note(new Effect.Load(), new Event.DatabaseUnclear("a table is gone", true), 2_000);
    assertThat(progress.at()).isEqualTo(2_000);
  }
}
