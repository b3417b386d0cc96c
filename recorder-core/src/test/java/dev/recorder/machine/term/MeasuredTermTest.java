package dev.recorder.machine.term;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.Position;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Window;
import dev.recorder.leadership.TakeoverReason;
import dev.recorder.metrics.LogMetrics;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.slotlog.Adoption;
import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Event;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.SlotContent;
import dev.recorder.testing.Origins;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What of a term's effects and answers is counted, and how long it took. */
class MeasuredTermTest {
  private static final Window WINDOW =
      new Window(Snapshot.parse("10:10:"), Snapshot.parse("20:20:"), true);
  private static final SlotContent SLOT =
      new SlotContent(
          42,
          Origins.of("session"),
          Origins.READ_AT,
          WINDOW,
          new SlotContent.Extent(3, 11, 1, 11, 3),
          "hash",
          new byte[50],
          200,
          false);
  private static final Effect PUT = new Effect.Put(SLOT, Origins.CHAIN);
  private static final Effect SETTLE = new Effect.Settle(SLOT, Origins.CHAIN, null);

  private long now;
  private final Handed next = new Handed();
  private final LogMetrics metrics =
      new MachineMetrics(() -> now, List.of(TakeoverReason.START.toString())).log("orders");
  private final MeasuredTerm term = new MeasuredTerm(next, metrics, () -> now);

  @Test
  void aPutTakesFromItsBeginningToItsAnswer() {
    answer(PUT, new Event.PutCreated(), 30_000_000);
    answer(PUT, new Event.PutAlreadyThere(), 40_000_000);

    assertThat(metrics.put().read().sumSeconds()).isEqualTo(.07);
    assertThat(metrics.slots()).isZero();
  }

  @Test
  void aPutWithoutAClearAnswerIsATroubleAndTakesNoTime() {
    answer(PUT, new Event.StoreUnclear("503"), 30_000_000);

    assertThat(metrics.put().read().sumSeconds()).isZero();
    assertThat(metrics.errors().read()).containsEntry(LogMetrics.STORE, 1L);
  }

  @Test
  void aSettledSlotIsCountedWithItsRowsAndBytes() {
    answer(SETTLE, new Event.Settled(), 2_000_000);

    assertThat(metrics.settle().read().sumSeconds()).isEqualTo(.002);
    assertThat(metrics.lastSlot()).isEqualTo(42);
    assertThat(List.of(metrics.slots(), metrics.rows(), metrics.bytes(), metrics.objectBytes()))
        .containsExactly(1L, 3L, 200L, 50L);
  }

  @Test
  void anAdoptedSlotIsNobodysWorkHere() {
    LogHead head =
        new LogHead(41, 1, Origins.CHAIN, new Position(WINDOW.from(), WINDOW.to(), 11, 3));
    answer(new Effect.Load(), new Event.Loaded(head), 1);
    assertThat(metrics.lastSlot()).isEqualTo(41);

    answer(new Effect.Load(), new Event.Adopted(head, Adoption.byWindow(3)), 1);

    assertThat(metrics.adopted()).isOne();
    assertThat(metrics.slots()).isZero();
  }

  @Test
  void eachKindOfTroubleIsCounted() {
    answer(SETTLE, new Event.DatabaseUnclear("timeout"), 1);
    answer(SETTLE, new Event.Fenced(), 1);
    answer(PUT, new Event.LeaseEnded(), 1);
    answer(new Effect.Load(), new Event.NotOurs("epoch 9"), 1);
    answer(new Effect.CheckIdentity(), new Event.IdentityWrong("another log"), 1);

    assertThat(metrics.errors().read())
        .containsEntry(LogMetrics.DATABASE, 1L)
        .containsEntry(LogMetrics.FENCED, 2L)
        .containsEntry(LogMetrics.LEASE, 1L)
        .containsEntry(LogMetrics.REFUSED, 1L)
        .containsEntry(LogMetrics.STORE, 0L);
  }

  @Test
  void whatIsMeasuredIsHandedOn() {
    answer(PUT, new Event.PutCreated(), 1);

    assertThat(next.handed).containsExactly("begins", "answered");
  }

  private void answer(Effect effect, Event event, long tookNanos) {
    term.begins(effect);
    now += tookNanos;
    term.answered(effect, event);
  }

  /** What the next one sees. */
  private static final class Handed implements TermObserver {
    final List<String> handed = new ArrayList<>();

    @Override
    public void begins(Effect effect) {
      handed.add("begins");
    }

    @Override
    public void answered(Effect effect, Event event) {
      handed.add("answered");
    }
  }
}
