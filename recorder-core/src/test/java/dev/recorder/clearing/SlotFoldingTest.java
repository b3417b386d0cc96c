package dev.recorder.clearing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.audit.SlotChain;
import dev.recorder.clearing.SettledSlots.Fold;
import dev.recorder.clearing.SettledSlots.SlotRow;
import dev.recorder.clearing.SettledSlots.SlotsStanding;
import dev.recorder.handoff.Position;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Snapshot;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.testing.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** In which steps slots are folded, and what is noted of them. */
class SlotFoldingTest {
  private static final LogLayout LAYOUT =
      new LogLayout("", "bucket", "p", new RecorderName("orders"), Compression.NONE);

  private final Slots slots = new Slots();
  private final MemoryStore store = new MemoryStore();
  private long rebasedSlot;
  private long firstSlot = 1;

  @Test
  void manySlotsAreFoldedInSmallStepsAndNotAllInOneTurn() {
    slots.plan(25_000);

    assertThat(fold(25_000, () -> true)).isEmpty();

    assertThat(slots.folds).hasSize(SlotFolding.FOLDS_A_TURN);
    assertThat(slots.folds).allMatch(fold -> fold.rows() == SlotFolding.SLOTS_AT_ONCE);
    fold(25_000, () -> true);
    assertThat(slots.last().lastSlot()).isEqualTo(25_000);
    assertThat(slots.last().rows()).isEqualTo(50_000);
  }

  @Test
  void theHashIsTheSameInHoweverManySteps() {
    slots.plan(10);
    for (long upTo : List.of(1L, 2L, 7L, 10L)) {
      fold(upTo, () -> true);
    }
    SlotChain inSteps = slots.last();
    slots.folds.clear();
    slots.plan(10);

    fold(10, () -> true);

    assertThat(slots.last()).isEqualTo(inSteps);
  }

  @Test
  void whoIsToStopStopsBetweenTwoSteps() {
    slots.plan(5_000);

    fold(5_000, () -> slots.folds.size() < 2);

    assertThat(slots.folds).hasSize(2);
  }

  @Test
  void whoFindsThatSomebodyElseFoldsGoesNoFurther() {
    slots.plan(5_000);
    slots.refuses = true;

    assertThat(fold(5_000, () -> true)).isEmpty();

    assertThat(slots.asked).isEqualTo(1);
  }

  @Test
  void ofSeveralPlansOfASlotThatHasExpiredTheFirstIsTaken() {
    slots.plan(2);
    slots.rows.add(1, row(1, "other", null));

    assertThat(fold(2, () -> true)).contains("slot 1: object", "is none of those");
    assertThat(slots.folds).isEmpty();

    firstSlot = 2;
    assertThat(fold(2, () -> true)).isEmpty();
    assertThat(slots.folds).singleElement().matches(fold -> fold.rows() == 3);
  }

  @Test
  void thePositionIsThatOfTheLastSlotThatHasAWindow() {
    slots.rows.add(row(1, "a", position(10)));
    slots.rows.add(row(2, "b", null));

    fold(2, () -> true);

    assertThat(slots.folds.get(0).position()).isEqualTo(position(10));
  }

  @Test
  void aLogThatBeginsWithAnAdoptedSlotIsStillAtItsBeginning() {
    slots.rows.add(row(1, "a", null));

    fold(1, () -> true);

    assertThat(slots.folds.get(0).position()).isEqualTo(Position.START);
  }

  @Test
  void behindARebaseThePositionBeginsAnew() {
    rebasedSlot = 2;
    slots.rows.add(row(1, "a", position(10)));
    slots.rows.add(row(2, "b", position(11)));
    slots.rows.add(row(3, "c", null));

    fold(2, () -> true);
    assertThat(slots.folds.get(0).position()).isNull();

    fold(3, () -> true);
    assertThat(slots.folds.get(1).position()).isEqualTo(Position.START);
  }

  private String fold(long upTo, BooleanSupplier goesOn) {
    return new SlotFolding(store, LAYOUT, goesOn).turn(slots, slots.look(), upTo);
  }

  private static SlotRow row(long slot, String hash, @Nullable Position after) {
    return new SlotRow(slot, hash, 2, 100, after);
  }

  private static Position position(long xmax) {
    return Position.doneUpTo(Snapshot.parse(xmax + ":" + xmax + ":"));
  }

  /** Rows of slots, and what was done with them. */
  private final class Slots implements SettledSlots {
    private final List<SlotRow> rows = new ArrayList<>();
    private final List<Fold> folds = new ArrayList<>();
    private boolean refuses;
    private int asked;

    void plan(int upTo) {
      rows.clear();
      for (long slot = 1; slot <= upTo; slot++) {
        rows.add(row(slot, "hash" + slot, position(10 + slot)));
      }
    }

    SlotChain last() {
      return folds.isEmpty() ? SlotChain.START : folds.get(folds.size() - 1).chain();
    }

    @Override
    public SlotsStanding look() {
      Position position = folds.isEmpty() ? null : folds.get(folds.size() - 1).position();
      return new SlotsStanding(99_999, firstSlot, 99_999, rebasedSlot, last(), position);
    }

    @Override
    public List<SlotRow> rows(long after, long upTo) {
      return rows.stream().filter(row -> row.slot() > after && row.slot() <= upTo).toList();
    }

    @Override
    public List<Long> notes() {
      return folds.stream().map(fold -> fold.chain().lastSlot()).toList();
    }

    @Override
    public boolean fold(Fold fold) {
      asked++;
      if (refuses) {
        return false;
      }
      assertThat(rows.subList(0, fold.rows())).allMatch(row -> row.slot() > fold.after());
      rows.subList(0, fold.rows()).clear();
      folds.add(fold);
      return true;
    }
  }
}
