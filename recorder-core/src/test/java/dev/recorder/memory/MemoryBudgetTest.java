package dev.recorder.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.HandoffRow;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.Rotation;
import dev.recorder.slotlog.SlotContentBuilder;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
  private static final long STEP = MemoryBudget.STEP;

  private final AtomicLong now = new AtomicLong();
  private final MemoryBudget budget = new MemoryBudget(10 * STEP, now::get);

  @Test
  void sharesGrowUntilTheBudgetIsUsedUp() {
    MemoryBudget.Share first = budget.share();
    MemoryBudget.Share second = budget.share();

    assertThat(first.growTo(6 * STEP)).isTrue();
    assertThat(second.growTo(4 * STEP)).isTrue();
    assertThat(second.growTo(4 * STEP + 1)).isFalse();
    assertThat(budget.taken()).isEqualTo(10 * STEP);
  }

  @Test
  void whatIsGivenBackIsThereForOthers() {
    MemoryBudget.Share first = budget.share();
    first.growTo(10 * STEP);
    first.shrinkTo(3 * STEP);

    assertThat(budget.share().growTo(7 * STEP)).isTrue();
    assertThat(budget.share().growTo(1)).isFalse();
  }

  @Test
  void aShareThatQueuesUpIsNextHoweverSmallTheOthersAre() {
    MemoryBudget.Share busy = budget.share();
    busy.growTo(5 * STEP);
    MemoryBudget.Share large = budget.share();
    assertThat(large.growTo(8 * STEP)).isFalse();
    large.queueUp();

    assertThat(budget.share().growTo(1)).isFalse();
    assertThat(busy.growTo(5 * STEP)).as("what it has already").isTrue();
    busy.release();
    assertThat(budget.share().growTo(1)).isFalse();
    assertThat(large.growTo(8 * STEP)).isTrue();
    assertThat(budget.share().growTo(1)).isTrue();
  }

  @Test
  void whoQueuesUpAndNeverComesBackIsForgotten() {
    budget.share().queueUp();
    assertThat(budget.share().growTo(1)).isFalse();

    now.addAndGet(5_000_000_000L);

    assertThat(budget.share().growTo(1)).isTrue();
  }

  @Test
  void whoGivesUpItsShareGivesUpItsTurn() {
    MemoryBudget.Share leaver = budget.share();
    leaver.queueUp();
    leaver.release();

    assertThat(budget.share().growTo(1)).isTrue();
    assertThat(leaver.growTo(1)).as("it is over").isFalse();
  }

  @Test
  void aSlotIsFullWhenThereIsNoMemoryForItsNextRow() {
    MemoryBudget.Share others = budget.share();
    SlotContentBuilder content =
        new SlotContentBuilder(Rotation.DEFAULT, Compression.NONE, budget.share());
    assertThat(content.offer(row(1))).isTrue();
    others.growTo(7 * STEP);

    int rows = 1;
    while (rows < 5_000 && content.offer(row(rows + 1))) {
      rows++;
    }

    assertThat(rows).isBetween(2, 3_000);
    assertThat(content.offer(row(rows + 1))).isFalse();
    others.release();
    assertThat(content.offer(row(rows + 1))).isTrue();
  }

  @Test
  void aRowThatNeedsMoreThanThereIsIsNotTaken() {
    SlotContentBuilder content =
        new SlotContentBuilder(Rotation.DEFAULT, Compression.NONE, budget.share());

    assertThat(content.hasRoomFor(4 * STEP)).isTrue();
    assertThat(content.hasRoomFor(4 * STEP + 1)).isFalse();
    assertThat(MemoryBudget.needOf(4 * STEP)).isEqualTo(10 * STEP);
  }

  @Test
  void whoAsksAgainAndAgainDoesNotKeepOthersAwayForLonger() {
    MemoryBudget.Share holding = budget.share();
    MemoryBudget.Share large = budget.share();
    MemoryBudget.Share small = budget.share();
    holding.growTo(5 * STEP);
    large.takeTurn();
    assertThat(small.growTo(STEP)).isFalse();

    for (int i = 0; i < 100; i++) {
      now.addAndGet(50_000_000);
      assertThat(large.growTo(10 * STEP)).isFalse();
      large.takeTurn();
    }

    assertThat(small.growTo(STEP)).isTrue();
  }

  @Test
  void ofTwoThatHaveSomethingAndWaitForAllTheLaterOneMakesRoom() {
    MemoryBudget.Share first = budget.share();
    MemoryBudget.Share later = budget.share();
    first.growTo(STEP);
    later.growTo(STEP);

    assertThat(first.waitFor(10 * STEP)).isTrue();
    assertThat(later.waitFor(10 * STEP)).isFalse();
    assertThat(first.waitFor(10 * STEP)).isTrue();

    later.release();
    assertThat(first.growTo(10 * STEP)).isTrue();
  }

  @Test
  void severalWaitWhereTheFirstCanBeServedWithoutWhatTheOthersHave() {
    MemoryBudget.Share runs = budget.share();
    MemoryBudget.Share first = budget.share();
    MemoryBudget.Share later = budget.share();
    runs.growTo(7 * STEP);
    first.growTo(STEP);
    later.growTo(STEP);

    assertThat(first.waitFor(8 * STEP)).isTrue();
    assertThat(later.waitFor(9 * STEP)).isTrue();

    runs.release();
    assertThat(first.growTo(8 * STEP)).isTrue();
    assertThat(later.waitFor(9 * STEP)).isTrue();
  }

  @Test
  void whoHasNothingIsInNobodysWay() {
    MemoryBudget.Share holder = budget.share();
    holder.growTo(STEP);

    assertThat(holder.waitFor(10 * STEP)).isTrue();
    assertThat(budget.share().waitFor(10 * STEP)).isTrue();
  }

  private static HandoffRow row(int number) {
    return new HandoffRow(number, 3, 0, "k", "\"" + "x".repeat(300) + "\"");
  }
}
