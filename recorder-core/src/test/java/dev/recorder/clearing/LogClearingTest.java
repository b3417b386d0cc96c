package dev.recorder.clearing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.audit.Cleared;
import dev.recorder.audit.Folds;
import dev.recorder.audit.HandoffRows;
import dev.recorder.audit.LogRecords;
import dev.recorder.audit.SlotPlan;
import dev.recorder.clearing.ClearingPlan.Closed;
import dev.recorder.clearing.LogClearing.Report;
import dev.recorder.clearing.TableState.Leaf;
import dev.recorder.clearing.TableState.NotedBlock;
import dev.recorder.handoff.Position;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.RowKey;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.testing.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** For how long a proof is kept that was of no use yet. */
class LogClearingTest {
  private static final LogLayout LAYOUT =
      new LogLayout("", "b", "p", new RecorderName("orders"), Compression.NONE);

  private final LogClearing clearing = new LogClearing(new MemoryStore(), LAYOUT, () -> true);
  private final OneLeaf leaves = new OneLeaf();

  @Test
  void aLeafThatOthersUseIsNotProvedAgain() {
    turn();
    turn();

    assertThat(leaves.compared).isEqualTo(1);
  }

  @Test
  void aLeafWhoseContentHasChangedIsProvedAgain() {
    turn();
    leaves.content = new LeafContent(0, "other");
    turn();

    assertThat(leaves.compared).isEqualTo(2);
  }

  /** The database may have lost its last commits, and have given out the same numbers again. */
  @Test
  void whatWasProvedOnAnotherSessionIsProvedAgain() {
    turn();
    leaves.session = "second";
    turn();

    assertThat(leaves.compared).isEqualTo(2);
  }

  @Test
  void aTableOfAnEarlierVersionIsChangedOnlyIfSomebodySaidHowLongRowsStay() {
    leaves.areThere = false;

    assertThat(clearing.turn(leaves, new ClearingPlan(Duration.ZERO, false)))
        .extracting(Report::why)
        .singleElement()
        .asString()
        .contains("write history = 7d");
    assertThat(leaves.areThere).isFalse();

    turn();
    assertThat(leaves.areThere).isTrue();
  }

  private void turn() {
    assertThat(clearing.turn(leaves, new ClearingPlan(Duration.ZERO)))
        .extracting(Report::why)
        .containsExactly("others use it");
  }

  /** Block 0 is closed, and somebody always uses its leaf. */
  private static final class OneLeaf implements HandoffLeaves {
    private static final Leaf NO_ROWS = new Leaf(0, 0);

    private Object session = "first";
    private LeafContent content = new LeafContent(0, "");
    private int compared;
    private boolean areThere = true;

    @Override
    public Object session() {
      return session;
    }

    @Override
    public Optional<TableState> look() {
      Leaf rows = new Leaf(1, 8192);
      NotedBlock noted = new NotedBlock(Duration.ofHours(1), 1);
      TableState state =
          new TableState(
              1,
              true,
              List.of(rows, rows, NO_ROWS, NO_ROWS, NO_ROWS, NO_ROWS, NO_ROWS, NO_ROWS),
              new TreeMap<>(Map.of(0L, noted, 1L, noted)));
      return areThere ? Optional.of(state) : Optional.empty();
    }

    @Override
    public Unleaved makeLeaves() {
      areThere = true;
      return new Unleaved("", false);
    }

    @Override
    public String whyUnleaved() {
      return "";
    }

    @Override
    public void noteBlock(long block) {
      throw new AssertionError("both are noted");
    }

    @Override
    public boolean rotate(long block) {
      return false;
    }

    @Override
    public void foldBlocks(long currentBlock) {}

    @Override
    public String inUse(Closed leaf) {
      return "";
    }

    @Override
    public String heldBy(Closed leaf) {
      return "";
    }

    @Override
    public LeafContent content(Closed leaf) {
      return content;
    }

    @Override
    public HandoffRows rows(Closed leaf) {
      compared++;
      return sink -> {};
    }

    @Override
    public LogRecords records() {
      return new EmptyLog();
    }

    @Override
    public String empty(Closed leaf, Proof proof) {
      return "others use it";
    }

    @Override
    public Optional<String> troubleOfOne(RuntimeException failure) {
      return Optional.empty();
    }
  }

  /** A log that has begun. */
  private static final class EmptyLog implements LogRecords {
    @Override
    public SettledLog settled() {
      return new SettledLog(
          new UUID(0, 1), new LogHead(0, 1, Position.START), 0, Cleared.ofBlocks(List.of()));
    }

    @Override
    public List<SlotPlan> plans(long slot) {
      return List.of();
    }

    @Override
    public Folds folds() {
      return Folds.NONE;
    }

    @Override
    public OptionalLong slotOf(RowKey row) {
      return OptionalLong.empty();
    }

    @Override
    public OptionalLong oldestTimeMicros() {
      return OptionalLong.empty();
    }

    @Override
    public String remedy(List<RowKey> lost) {
      return "";
    }
  }
}
