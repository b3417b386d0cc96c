package dev.recorder.simulation.servers;

import dev.recorder.handoff.Block;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** One recorder's hand-off table with what is excluded from it, in leaves that can be emptied. */
public final class HandoffTable {
  /** Committed rows. */
  public final TreeMap<RowId, StoredRow> rows = new TreeMap<>();

  /** Rows that are in the log although no settled window covers them. */
  public final TreeMap<RowId, Long> exclusions = new TreeMap<>();

  /** Committed rows that are in no index. */
  public final TreeSet<RowId> missedByTheIndex = new TreeSet<>();

  /** What is noted of blocks. */
  public final TreeMap<Long, NotedBlock> blocks = new TreeMap<>();

  /** Leaves that were emptied, in order; for the invariants only. */
  public final List<Cleared> cleared = new ArrayList<>();

  /** How many versions of rows lie in each leaf, those of transactions that failed included. */
  private final long[] versions = new long[Block.LEAVES];

  private long lastId;

  /** A row of {@code blocks}. */
  public record NotedBlock(long begunAtMicros, long fromSlot, boolean cleared) {}

  /**
   * A leaf that was emptied.
   *
   * @param inForce whether the term of who did it was in force when it began to
   */
  public record Cleared(List<StoredRow> rows, boolean inForce) {
    public Cleared {
      rows = List.copyOf(rows);
    }
  }

  HandoffTable copy() {
    HandoffTable copy = new HandoffTable();
    copy.rows.putAll(rows);
    copy.exclusions.putAll(exclusions);
    copy.missedByTheIndex.addAll(missedByTheIndex);
    copy.blocks.putAll(blocks);
    copy.cleared.addAll(cleared);
    System.arraycopy(versions, 0, copy.versions, 0, versions.length);
    copy.lastId = lastId;
    return copy;
  }

  /** Draws an id, of a transaction or of none. */
  public long nextId() {
    return ++lastId;
  }

  public long currentBlock() {
    return Block.of(lastId);
  }

  public void rotateTo(long block) {
    lastId = block << Block.BITS;
  }

  /** A row version, committed or not, takes its place. */
  void place(long id) {
    versions[leafOf(id)]++;
  }

  public long versions(int leaf) {
    return versions[leaf];
  }

  /** Committed rows of a leaf, in the order in which they are recorded. */
  public List<StoredRow> rowsOf(int leaf) {
    return rows.values().stream().filter(row -> leafOf(row.row().id()) == leaf).toList();
  }

  /** TRUNCATE. */
  public void empty(int leaf, boolean inForce) {
    List<StoredRow> gone = rowsOf(leaf);
    gone.forEach(row -> rows.remove(row.place()));
    versions[leaf] = 0;
    cleared.add(new Cleared(gone, inForce));
  }

  /** Rows that the writer's index has, from a place on. */
  SortedMap<RowId, StoredRow> indexed(RowId from) {
    TreeMap<RowId, StoredRow> indexed = new TreeMap<>(rows.tailMap(from));
    indexed.keySet().removeAll(missedByTheIndex);
    return indexed;
  }

  public static int leafOf(long id) {
    return Block.leafOf(Block.of(id));
  }

  @Override
  public String toString() {
    return rows.size() + " rows, leaves " + Arrays.toString(versions);
  }
}
