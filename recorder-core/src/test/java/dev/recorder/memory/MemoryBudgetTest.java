package dev.recorder.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.HandoffRow;
import dev.recorder.memory.MemoryBudget.Share;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.Rotation;
import dev.recorder.slotlog.SlotContentBuilder;
import dev.recorder.time.ByteQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
  private static final long STEP = MemoryBudget.STEP;

  private final AtomicLong now = new AtomicLong();
  private final MemoryBudget budget = new MemoryBudget(10 * STEP, now::get);

  @Test
  void sharesGrowUntilTheBudgetIsUsedUp() {
    shareOf(6);
    Share second = shareOf(4);

    assertThat(second.growTo(4 * STEP + 1)).isFalse();
    assertThat(budget.taken()).isEqualTo(10 * STEP);
  }

  @Test
  void whatIsGivenBackIsThereForOthers() {
    shareOf(10).shrinkTo(3 * STEP);

    assertThat(budget.share().growTo(7 * STEP)).isTrue();
    assertThat(budget.share().growTo(1)).isFalse();
  }

  @Test
  void aShareThatQueuesUpIsNextHoweverSmallTheOthersAre() {
    Share busy = shareOf(5);
    Share large = budget.share();
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
    Share leaver = budget.share();
    leaver.queueUp();
    leaver.release();

    assertThat(budget.share().growTo(1)).isTrue();
    assertThat(leaver.growTo(1)).as("it is over").isFalse();
  }

  @Test
  void aSlotIsFullWhenThereIsNoMemoryForItsNextRow() {
    SlotContentBuilder content = content();
    assertThat(content.offer(row(1))).isTrue();
    Share others = shareOf(7);

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
    SlotContentBuilder content = content();

    assertThat(content.hasRoomFor(4 * STEP)).isTrue();
    assertThat(content.hasRoomFor(4 * STEP + 1)).isFalse();
    assertThat(MemoryBudget.needOf(4 * STEP)).isEqualTo(10 * STEP);
  }

  @Test
  void whoAsksAgainAndAgainDoesNotKeepOthersAwayForLonger() {
    shareOf(5);
    Share large = budget.share();
    Share small = budget.share();
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
    Share first = shareOf(1);
    Share later = shareOf(1);

    assertThat(first.waitFor(10 * STEP)).isTrue();
    assertThat(later.waitFor(10 * STEP)).isFalse();
    assertThat(first.waitFor(10 * STEP)).isTrue();

    later.release();
    assertThat(first.growTo(10 * STEP)).isTrue();
  }

  @Test
  void severalWaitWhereTheFirstCanBeServedWithoutWhatTheOthersHave() {
    Share runs = shareOf(7);
    Share first = shareOf(1);
    Share later = shareOf(1);

    assertThat(first.waitFor(8 * STEP)).isTrue();
    assertThat(later.waitFor(9 * STEP)).isTrue();

    runs.release();
    assertThat(first.growTo(8 * STEP)).isTrue();
    assertThat(later.waitFor(9 * STEP)).isTrue();
  }

  @Test
  void whoHasNothingIsInNobodysWay() {
    assertThat(shareOf(1).waitFor(10 * STEP)).isTrue();
    assertThat(budget.share().waitFor(10 * STEP)).isTrue();
  }

  private Share shareOf(long steps) {
    Share share = budget.share();
    assertThat(share.growTo(steps * STEP)).isTrue();
    return share;
  }

  private SlotContentBuilder content() {
    return new SlotContentBuilder(
        Rotation.DEFAULT, Compression.NONE, budget.share(), ByteQueue.Threads.NONE);
  }

  private static HandoffRow row(int number) {
    return new HandoffRow(number, 3, 0, "k", "\"" + "x".repeat(300) + "\"");
  }
}
