package dev.recorder.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.recorder.audit.BlockRanges;
import dev.recorder.audit.LogRecords;
import dev.recorder.audit.objects.SlotPlan;
import dev.recorder.clearing.ClearingPlan.Closed;
import dev.recorder.clearing.HandoffLeaves.Proof;
import dev.recorder.clearing.LeafContent;
import dev.recorder.clearing.TableState;
import dev.recorder.handoff.Block;
import dev.recorder.handoff.HandoffRow;
import dev.recorder.handoff.KeptRow;
import dev.recorder.handoff.Term;
import dev.recorder.simulation.servers.FakeDatabase;
import dev.recorder.simulation.servers.FakeSession;
import dev.recorder.simulation.servers.HandoffTable;
import dev.recorder.simulation.servers.LeafLocks;
import dev.recorder.simulation.servers.Mutation;
import dev.recorder.simulation.servers.RecorderRow;
import dev.recorder.simulation.servers.RowId;
import dev.recorder.simulation.servers.StoredRow;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What the server does with the statements of a clearing that come on one session, each atomic. */
final class LeafStatements {
  private final FakeSession session;
  private final FakeDatabase database;
  private final Term term;
  private final World world;
  private boolean beganInForce;

  LeafStatements(FakeSession session, Term term, World world) {
    this.session = session;
    this.database = session.database();
    this.term = term;
    this.world = world;
  }

  FakeSession session() {
    return session;
  }

  private HandoffTable table() {
    return database.handoff(term.lockId());
  }

  private LeafLocks.Leaf leaf(Closed closed) {
    return new LeafLocks.Leaf(term.lockId(), closed.leaf());
  }

  TableState look() {
    HandoffTable table = table();
    List<TableState.Leaf> leaves =
        IntStream.range(0, Block.LEAVES)
            .mapToLong(table::versions)
            .mapToObj(versions -> new TableState.Leaf(versions, versions * world.bytesPerRow()))
            .toList();
    SortedMap<Long, TableState.NotedBlock> blocks = new TreeMap<>();
    table.blocks.forEach(
        (block, noted) -> {
          long age = database.clockMicros() - noted.begunAtMicros();
          blocks.put(
              block, new TableState.NotedBlock(Duration.ofNanos(1_000 * age), noted.fromSlot()));
        });
    long current = table.currentBlock();
    boolean hasNewRows = !table.rowsOf(Block.leafOf(current)).isEmpty();
    return new TableState(current, hasNewRows, leaves, blocks);
  }

  boolean noteBlock(long block) {
    database.write(() -> note(block, 1));
    return true;
  }

  private void note(long block, long fromSlot) {
    table()
        .blocks
        .putIfAbsent(block, new HandoffTable.NotedBlock(database.clockMicros(), fromSlot, false));
  }

  boolean rotate(long block) {
    if (!holdsTerm() || !look().mayRotate(block)) {
      return false;
    }
    database.write(
        () -> {
          note(block + 1, database.recorder(term.lockId()).lastSlot() + 1);
          table().rotateTo(block + 1);
        });
    return true;
  }

  boolean isFree(Closed closed) {
    return database.leafLocks().isFree(leaf(closed), session);
  }

  /** Begins the transaction, and keeps new rows out. */
  boolean lock(Closed closed) {
    world.latecomers.meet(leaf(closed));
    beganInForce = holdsTerm();
    return world.mutation == Mutation.CLEARED_WITHOUT_LOCK
        || database.leafLocks().lock(leaf(closed), session);
  }

  LeafContent content(Closed closed) {
    world.latecomers.meet(leaf(closed));
    List<RowId> versions = table().rowsOf(closed.leaf()).stream().map(StoredRow::place).toList();
    return new LeafContent(versions.size(), versions.toString());
  }

  boolean isWaitedFor(Closed closed) {
    return database.leafLocks().isWaitedFor(leaf(closed));
  }

  boolean holdsTerm() {
    RecorderRow row = database.recorder(term.lockId());
    return row.epoch() == term.epoch() && term.machine().equals(row.holder());
  }

  /** The last lock, TRUNCATE, the notes and COMMIT; false if others are in the way. */
  boolean empty(Closed closed, Proof proof) {
    if (!isFree(closed)) {
      return false;
    }
    Set<Long> blocks = new TreeSet<>(proof.blocks());
    blocks.add(closed.block());
    database.write(
        () -> {
          table().empty(closed.leaf(), beganInForce);
          for (long block : blocks) {
            note(block, 1);
            table()
                .blocks
                .computeIfPresent(
                    block,
                    (number, noted) ->
                        new HandoffTable.NotedBlock(noted.begunAtMicros(), noted.fromSlot(), true));
          }
        });
    return true;
  }

  /** The end of the transaction. */
  boolean unlock() {
    database.leafLocks().release(session);
    return true;
  }

  /** One of two ranges of pages. */
  List<KeptRow> rows(Closed closed, int half) {
    return table().rowsOf(closed.leaf()).stream()
        .filter(stored -> stored.row().id() % 2 == half && !isOverlooked(stored))
        .map(this::kept)
        .toList();
  }

  private boolean isOverlooked(StoredRow stored) {
    return switch (world.mutation) {
      case CLEARED_BY_THE_INDEX -> table().missedByTheIndex.contains(stored.place());
      case CLEARED_BEFORE_THE_OBJECT -> isPlanned(stored);
      default -> false;
    };
  }

  private boolean isPlanned(StoredRow stored) {
    return database.tables().slots.values().stream()
        .filter(slot -> slot.key().lockId() == term.lockId() && slot.window() != null)
        .anyMatch(slot -> DatabaseWatch.isRecorded(stored, slot.after(), table()));
  }

  private KeptRow kept(StoredRow stored) {
    HandoffRow row = stored.row();
    @Nullable String key = row.key();
    return new KeptRow(
        row.id(),
        row.xid(),
        row.timeMicros(),
        table().exclusions.getOrDefault(stored.place(), 0L),
        key == null ? null : ByteBuffer.wrap(key.getBytes(UTF_8)),
        KeptRow.Payload.whole(ByteBuffer.wrap(row.payload().getBytes(UTF_8))));
  }

  LogRecords.SettledLog settled() {
    RecorderRow row = database.recorder(term.lockId());
    List<Long> cleared =
        table().blocks.entrySet().stream()
            .filter(block -> block.getValue().cleared())
            .map(block -> block.getKey())
            .toList();
    return new LogRecords.SettledLog(
        row.log(), row.head(), null, 0, BlockRanges.ofBlocks(cleared), List.of());
  }

  List<SlotPlan> plans(long slot) {
    return database.tables().slots.values().stream()
        .filter(row -> row.key().lockId() == term.lockId() && row.key().slot() == slot)
        .map(row -> new SlotPlan(row.key().sha256(), row.window(), row.extent(), 0))
        .toList();
  }
}
