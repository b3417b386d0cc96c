package dev.recorder.clearing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.audit.BlockRanges;
import dev.recorder.audit.HandoffRows;
import dev.recorder.audit.LogRecords;
import dev.recorder.audit.objects.ReadingRoom;
import dev.recorder.audit.objects.SlotPlan;
import dev.recorder.clearing.ClearingPlan.Closed;
import dev.recorder.clearing.LogClearing.Report;
import dev.recorder.clearing.TableState.Leaf;
import dev.recorder.clearing.TableState.NotedBlock;
import dev.recorder.handoff.Block;
import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.KeptRow;
import dev.recorder.handoff.Position;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.RowKey;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Window;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.slotlog.Rotation;
import dev.recorder.slotlog.SlotContent;
import dev.recorder.slotlog.SlotContentBuilder;
import dev.recorder.testing.Origins;
import dev.recorder.testing.servers.MemoryStore;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** For how long a proof is kept that was of no use yet, and that there was none. */
class LogClearingTest {
  private static final LogLayout LAYOUT =
      new LogLayout("", "b", "p", new RecorderName("orders"), Compression.NONE);

  private static final HandoffRow ROW = new HandoffRow(1, 10, 1_700_000_000_000_000L, null, "{}");

  private final MemoryStore store = new MemoryStore();
  private Duration now = Duration.ZERO;
  private final LogClearing clearing =
      new LogClearing(store, LAYOUT, () -> true, ReadingRoom.UNLIMITED, () -> now.toNanos());
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
  void aLeafThatIsNotProvedIsNeitherReadNorLockedAgainForAMinute() {
    leaves.log = logWithoutItsObject();

    assertThat(whyItStays()).endsWith("is not in the store");
    now = Duration.ofSeconds(59);
    assertThat(whyItStays()).endsWith("is not in the store");

    assertThat(leaves.compared).isEqualTo(1);
    assertThat(leaves.lockedFor).isEqualTo(1);
  }

  @Test
  void aLeafThatWasNotProvedIsProvedAfterAMinuteAndEmptied() {
    OneSlot log = logWithoutItsObject();
    leaves.log = log;
    leaves.whyNotEmptied = "";
    turns();
    store.putIfAbsent(LAYOUT.slotKey(1), log.content.body(), log.metadata());
    now = Duration.ofMinutes(1);

    assertThat(turns()).containsExactly("in slots 1 to 1");
    assertThat(leaves.emptied).containsExactly(0L);
  }

  @Test
  void thePauseIsDoubledWithEachFailureUpToSixHours() {
    leaves.log = logWithoutItsObject();
    List<Long> minutes = new ArrayList<>();
    for (int minute = 0; minute <= 2_000; minute++) {
      now = Duration.ofMinutes(minute);
      int before = leaves.compared;
      turns();
      if (leaves.compared > before) {
        minutes.add((long) minute);
      }
    }

    assertThat(minutes)
        .containsExactly(
            0L, 1L, 3L, 7L, 15L, 31L, 63L, 127L, 255L, 511L, 871L, 1231L, 1591L, 1951L);
  }

  @Test
  void aLeafThatIsNotProvedAndHasChangedIsReadAgainAtOnce() {
    leaves.log = logWithoutItsObject();
    turns();
    leaves.content = new LeafContent(1, "other");
    turns();
    turns();

    assertThat(leaves.compared).isEqualTo(2);
  }

  @Test
  void onAnotherSessionALeafIsReadAgainAtOnce() {
    leaves.log = logWithoutItsObject();
    turns();
    leaves.session = "second";
    turns();

    assertThat(leaves.compared).isEqualTo(2);
  }

  @Test
  void besideALeafThatIsNotProvedTheOthersAreEmptied() {
    leaves.log = logWithoutItsObject();
    leaves.currentBlock = 2;
    leaves.whyNotEmptied = "";

    assertThat(turns()).hasSize(2);
    assertThat(leaves.emptied).containsExactly(1L);
    turns();
    assertThat(leaves.emptied).containsExactly(1L, 1L);
  }

  @Test
  void whatPassesByItselfIsLookedAtInTheNextTurn() {
    leaves.log = logWithoutItsObject();
    leaves.log.head = new LogHead(0, 1, Origins.CHAIN, Position.START);

    assertThat(whyItStays()).isEqualTo("1 of its rows are not recorded yet");
    turns();

    assertThat(leaves.compared).isEqualTo(2);
  }

  @Test
  void anAnswerThatTheStoreDoesNotGiveIsAskedForInTheNextTurn() {
    leaves.log = logWithoutItsObject();
    LogClearing blind = new LogClearing(MemoryStore.withoutBucket(), LAYOUT, () -> true);
    blind.turn(leaves, new ClearingPlan(Duration.ZERO));
    blind.turn(leaves, new ClearingPlan(Duration.ZERO));

    assertThat(leaves.compared).isEqualTo(2);
  }

  private String whyItStays() {
    List<String> why = turns();
    assertThat(why).hasSize(1);
    return why.get(0);
  }

  private List<String> turns() {
    return clearing.turn(leaves, new ClearingPlan(Duration.ZERO)).stream()
        .map(Report::why)
        .toList();
  }

  private static OneSlot logWithoutItsObject() {
    SlotContentBuilder builder =
        new SlotContentBuilder(new Rotation(10, Long.MAX_VALUE), Compression.NONE);
    builder.offer(ROW);
    Window window = new Window(Position.START.done(), Snapshot.parse("11:11:"), true);
    return new OneSlot(builder.build(1, Origins.of("s"), Origins.READ_AT, window));
  }

  private void turn() {
    assertThat(clearing.turn(leaves, new ClearingPlan(Duration.ZERO)))
        .extracting(Report::why)
        .containsExactly("others use it");
  }

  /** Block 0 is closed, and somebody always uses its leaf. */
  private static final class OneLeaf implements HandoffLeaves {
    private static final Leaf NO_ROWS = new Leaf(0, 0);
    private static final ByteBuffer BRACES = ByteBuffer.wrap("{}".getBytes(UTF_8));

    private Object session = "first";
    private LeafContent content = new LeafContent(0, "");
    private int compared;
    private OneSlot log = new OneSlot(null);
    private long currentBlock = 1;
    private int lockedFor;
    private String whyNotEmptied = "others use it";
    private final List<Long> emptied = new ArrayList<>();

    @Override
    public Object session() {
      return session;
    }

    @Override
    public TableState look() {
      Leaf rows = new Leaf(1, 8192);
      NotedBlock noted = new NotedBlock(Duration.ofHours(1), 1);
      List<Leaf> all = new ArrayList<>(Collections.nCopies(Block.LEAVES, NO_ROWS));
      SortedMap<Long, NotedBlock> blocks = new TreeMap<>();
      for (long block = 0; block <= currentBlock; block++) {
        all.set((int) block, rows);
        blocks.put(block, noted);
      }
      return new TableState(currentBlock, true, all, blocks);
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
    public void mergeBlocks(long currentBlock) {}

    @Override
    public String inUse(Closed leaf) {
      lockedFor++;
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
      return sink -> {
        if (leaf.block() == 0 && log.content != null) {
          sink.row(
              new KeptRow(
                  ROW.id(), ROW.xid(), ROW.timeMicros(), 0, null, KeptRow.Payload.whole(BRACES)));
          BRACES.rewind();
        }
      };
    }

    @Override
    public LogRecords records() {
      return log;
    }

    @Override
    public String empty(Closed leaf, Proof proof) {
      if (whyNotEmptied.isEmpty()) {
        emptied.add(leaf.block());
      }
      return whyNotEmptied;
    }

    @Override
    public Optional<String> troubleOfOne(RuntimeException failure) {
      return Optional.empty();
    }
  }

  /** A log of one slot, or none. */
  private static final class OneSlot implements LogRecords {
    private static final UUID LOG = new UUID(0, 1);

    private final @Nullable SlotContent content;
    private LogHead head = new LogHead(0, 1, Origins.CHAIN, Position.START);

    OneSlot(@Nullable SlotContent content) {
      this.content = content;
      if (content != null) {
        head = head.after(content);
      }
    }

    Map<String, String> metadata() {
      return new ObjectMetadata(
              "orders",
              LOG,
              1,
              1,
              "host-a",
              1,
              content.sha256(),
              Origins.CHAIN,
              null,
              null,
              Origins.READ_AT)
          .asMap();
    }

    @Override
    public SettledLog settled() {
      return new SettledLog(LOG, head, null, 0, BlockRanges.of(List.of()), List.of());
    }

    @Override
    public List<SlotPlan> plans(long slot) {
      return content == null
          ? List.of()
          : List.of(
              new SlotPlan(content.sha256(), content.window(), content.extent(), content.bytes()));
    }

    @Override
    public long plansFrom() {
      return 1;
    }

    @Override
    public OptionalLong slotOf(RowKey row) {
      return OptionalLong.empty();
    }

    @Override
    public String remedy(List<RowKey> lost) {
      return "";
    }
  }
}
