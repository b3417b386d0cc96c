package dev.recorder.slotlog.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.Position;
import dev.recorder.handoff.Term;
import dev.recorder.memory.MemoryBudget;
import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Event;
import dev.recorder.slotlog.Event.LedgerEvent;
import dev.recorder.slotlog.Ledger;
import dev.recorder.slotlog.Rotation;
import dev.recorder.testing.Origins;
import dev.recorder.time.Ticker;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Slots that share their memory: what one takes, and when it gives it back. */
@Tag("nightly")
class LedgerMemoryIT {
  private static final int ROW_BYTES = 1_000_000;

  /** There is room for one slot of such a row to be built, and not beside another. */
  private final MemoryBudget budget =
      new MemoryBudget(MemoryBudget.needOf(ROW_BYTES) + 300_000, Ticker.system());

  private final JdbcLedgerFixture fixture = new JdbcLedgerFixture();
  private Term term;
  private Ledger first;
  private Ledger second;

  @BeforeEach
  void insert() {
    fixture.begin(1);
    fixture.insert(1, "k", '"' + noise(ROW_BYTES - 200) + '"');
    fixture.commit(1);
    term = fixture.beginTerm("a");
    first = fixture.open(term, Rotation.DEFAULT, budget);
    second = fixture.open(term, Rotation.DEFAULT, budget);
    first.load();
    second.load();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void aSlotThatIsBuiltKeepsItsMemoryAndAnotherWaits() {
    assertThat(read(first)).isInstanceOf(Event.Built.class);
    assertThat(read(second)).isInstanceOf(Event.NoRoom.class);
  }

  @Test
  void aTermThatIsOverGivesItsMemoryBack() {
    assertThat(read(first)).isInstanceOf(Event.Built.class);
    first.close();
    assertThat(read(second)).isInstanceOf(Event.Built.class);
  }

  @Test
  void aSlotThatIsReadAnewTakesNoMoreThanOnce() {
    assertThat(read(first)).isInstanceOf(Event.Built.class);
    assertThat(read(first)).isInstanceOf(Event.Built.class);
    first.load();
    assertThat(read(second)).as("what was lost track of").isInstanceOf(Event.Built.class);
  }

  @Test
  void aSettledSlotGivesItsMemoryBack() {
    Event.Built built = (Event.Built) read(first);
    first.plan(built.content());
    assertThat(first.settle(new Effect.Settle(built.content(), Origins.CHAIN, null)))
        .isInstanceOf(Event.Settled.class);

    fixture.begin(1);
    fixture.insert(1, "k", '"' + noise(ROW_BYTES - 200) + '"');
    fixture.commit(1);
    assertThat(second.read(new Effect.Read(2, 1, built.content().after(), false)))
        .isInstanceOf(Event.Built.class);
  }

  private static LedgerEvent read(Ledger ledger) {
    return ledger.read(new Effect.Read(1, 0, Position.START, false));
  }

  /** Letters that compression makes half as long at most. */
  private static String noise(int length) {
    StringBuilder text = new StringBuilder(length);
    new Random(1).ints(length, 'A', 'z').forEach(c -> text.append(c == '\\' ? 'x' : (char) c));
    return text.toString();
  }
}
