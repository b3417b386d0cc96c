package dev.recorder.clearing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.clearing.ClearingPlan.Closed;
import dev.recorder.clearing.SettledSlots.SlotsStanding;
import dev.recorder.clearing.TableState.Leaf;
import dev.recorder.handoff.Block;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ClearingPlanTest {
  private static final ClearingPlan WEEK = new ClearingPlan(Duration.ofDays(7));
  private static final ClearingPlan NOTHING = new ClearingPlan(Duration.ZERO);

  @Test
  void leavesThatGetNoMoreRowsComeTheOldestFirst() {
    TableState table = table(9).with(7, 1).with(0, 1).with(1, 1).begun(8, 3).begun(9, 2).state();

    assertThat(ClearingPlan.closed(table))
        .containsExactly(
            new Closed(7, Duration.ofDays(3), 1), new Closed(8, Duration.ofDays(2), 8 * 100));
  }

  @Test
  void aLeafIsDueWhenItsHistoryHasPassedSinceTheNextBlockBegan() {
    TableState table = table(2).with(0, 1).with(1, 1).with(2, 1).begun(1, 8).begun(2, 6).state();

    assertThat(ClearingPlan.closed(table).stream().map(leaf -> WEEK.isDue(table, leaf)))
        .containsExactly(true, false);
  }

  @Test
  void theNewestRowsStayUntilThereAreNewerOnes() {
    TableState table = table(1).with(0, 1).begun(1, 30).state();

    assertThat(ClearingPlan.closed(table)).noneMatch(leaf -> WEEK.isDue(table, leaf));
  }

  @Test
  void aBlockWhoseEndNobodyNotedIsNotDue() {
    TableState table = table(1).with(0, 1).with(1, 1).state();

    assertThat(ClearingPlan.closed(table)).noneMatch(leaf -> WEEK.isDue(table, leaf));
  }

  /** As after a replication that brought rows and no notes. */
  @Test
  void ofABlockWhoseEndNobodyNotedTheNextNoteTells() {
    TableState table = table(3).with(0, 1).with(3, 1).begun(3, 8).state();

    assertThat(ClearingPlan.closed(table)).allMatch(leaf -> WEEK.isDue(table, leaf));
  }

  @Test
  void aCounterThatWasSetBackIsSeen() {
    assertThat(table(3).begun(3, 1).state().isCounterSetBack()).isFalse();
    assertThat(table(3).begun(4, 1).state().isCounterSetBack()).isTrue();
    assertThat(table(3).begun(4, 1).state().mayRotate(3)).isFalse();
  }

  @Test
  void aBlockLastsASixthOfTheHistory() {
    assertThat(WEEK.isRotationDue(table(3).with(3, 1).begun(3, 1).state())).isFalse();
    assertThat(WEEK.isRotationDue(table(3).with(3, 1).begun(3, 2).state())).isTrue();
  }

  @Test
  void aBlockWithoutRowsGoesOn() {
    assertThat(WEEK.isRotationDue(table(3).begun(3, 30).state())).isFalse();
  }

  @Test
  void aLeafThatStillHasRowsIsNotUsedAgain() {
    assertThat(WEEK.isRotationDue(table(7).with(7, 1).with(0, 1).begun(7, 30).state())).isFalse();
  }

  @Test
  void whatIsNotToBeKeptRotatesWhenItHasGrownLarge() {
    TableState small = table(3).with(3, 63 << 20).begun(3, 0).state();
    TableState large = table(3).with(3, 64 << 20).begun(3, 0).state();

    assertThat(NOTHING.isRotationDue(small)).isFalse();
    assertThat(NOTHING.isRotationDue(large)).isTrue();
    assertThat(WEEK.isRotationDue(large)).isFalse();
  }

  @Test
  void aBlockMayBeSmallerAndIsThenLookedAtMoreOften() {
    ClearingPlan small = new ClearingPlan(Duration.ZERO, 16 << 20);
    ClearingPlan smallest = new ClearingPlan(Duration.ZERO, 1 << 20);
    TableState table = table(3).with(3, 16 << 20).begun(3, 0).state();

    assertThat(small.isRotationDue(table)).isTrue();
    assertThat(NOTHING.isRotationDue(table)).isFalse();
    assertThat(NOTHING.pause()).isEqualTo(Duration.ofSeconds(10));
    assertThat(small.pause()).isEqualTo(Duration.ofMillis(2_500));
    assertThat(smallest.pause()).isEqualTo(Duration.ofSeconds(1));
    assertThat(new ClearingPlan(Duration.ZERO, 64L << 30).pause())
        .isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void ofWhatIsKeptABlockLastsByTimeAloneHoweverSmallItMayBe() {
    ClearingPlan kept = new ClearingPlan(Duration.ofMinutes(10), 1 << 20);

    assertThat(kept.isRotationDue(table(3).with(3, 2 << 20).begun(3, 0).state())).isFalse();
    assertThat(kept.pause()).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void rowsOfSlotsMayBeDeletedUpToTheFirstSlotThatTheTableHasRowsOf() {
    TableState table = table(9).with(7, 1).with(1, 1).begun(7, 5).begun(8, 3).begun(9, 2).state();

    assertThat(table.firstSlotWithRows()).isEqualTo(700);
    assertThat(new SlotsStanding(2_000).mayDeleteUpTo(table)).isEqualTo(699);
    assertThat(new SlotsStanding(500).mayDeleteUpTo(table)).isEqualTo(499);
  }

  /** A row that came late may be of any block that lay there before. */
  @Test
  void ofALeafWhoseBlockWasNotNotedAllSlotsMayHaveRows() {
    TableState table = table(9).with(0, 1).with(1, 1).begun(9, 2).state();

    assertThat(table.firstSlotWithRows()).isEqualTo(1);
  }

  @Test
  void ofATableWithoutARowThoseOfAllSlotsMayBeDeleted() {
    assertThat(table(3).begun(3, 2).state().firstSlotWithRows()).isEqualTo(Long.MAX_VALUE);
  }

  private static Table table(long currentBlock) {
    return new Table(currentBlock);
  }

  /** A table of empty leaves and unknown blocks, before rows and notes come to it. */
  private static final class Table {
    private final long current;
    private final List<Leaf> leaves =
        new ArrayList<>(Collections.nCopies(Block.LEAVES, new Leaf(0, 8_192)));
    private final SortedMap<Long, TableState.NotedBlock> blocks = new TreeMap<>();

    Table(long current) {
      this.current = current;
    }

    Table with(int leaf, long bytes) {
      leaves.set(leaf, new Leaf(1, bytes));
      return this;
    }

    Table begun(long block, int daysAgo) {
      blocks.put(block, new TableState.NotedBlock(Duration.ofDays(daysAgo), block * 100));
      return this;
    }

    TableState state() {
      boolean hasNewRows = leaves.get(Block.leafOf(current)).pages() > 0;
      return new TableState(current, hasNewRows, leaves, blocks);
    }
  }
}
