package dev.recorder.clearing.postgres;

import dev.recorder.clearing.TableState;
import dev.recorder.handoff.Block;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Term;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.Transaction;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The leaves of one hand-off table, and what is noted of its blocks. */
final class Leaves {
  private final Term term;
  private final String table;
  private final List<String> leaves;
  private final Sql state;
  private final Sql blocks;
  private final Sql begin;
  private final Sql lastSlot;

  /**
   * Leaves of a recorder's table.
   *
   * @param term in which they are changed
   */
  Leaves(SchemaNames schemas, RecorderName recorder, Term term) {
    this.term = term;
    this.table = schemas.handoffTable(recorder);
    this.leaves =
        IntStream.range(0, Block.LEAVES)
            .mapToObj(leaf -> schemas.handoffLeaf(recorder, leaf))
            .toList();
    this.state = Sql.of(STATE);
    this.blocks = Sql.in(schemas, BLOCKS);
    this.begin = Sql.in(schemas, BEGIN);
    this.lastSlot = Sql.in(schemas, LAST_SLOT);
  }

  /** The table that has the rows of a leaf. */
  String table(int leaf) {
    return leaves.get(leaf);
  }

  private static final String STATE =
      """
      SELECT pg_partition_root(c.oid) = :table::regclass,
        pg_relation_size(c.oid) / current_setting('block_size')::int, pg_total_relation_size(c.oid)
      FROM unnest(:leaves::text[]) WITH ORDINALITY AS leaf (name, place)
      LEFT JOIN pg_class c ON c.oid = to_regclass(leaf.name)
      ORDER BY place
      """;

  /** How they stand. */
  TableState look(Connection connection) throws SQLException {
    return look(connection, true);
  }

  /** {@code withRows}: whether to ask if there are new rows, past dead ones that may be many. */
  private TableState look(Connection connection, boolean withRows) throws SQLException {
    List<Optional<TableState.Leaf>> found;
    try (SqlStatement statement = state.on(connection)) {
      found =
          statement
              .set("table", table)
              .setArray("leaves", "text", leaves.toArray())
              .all(
                  row ->
                      row.getBoolean(1)
                          ? Optional.of(new TableState.Leaf(row.getLong(2), row.getLong(3)))
                          : Optional.empty());
    }
    List<TableState.Leaf> known = found.stream().flatMap(Optional::stream).toList();
    if (known.size() < leaves.size()) {
      throw new DatabaseException(
          DatabaseErrorKind.UNUSABLE,
          "table %s lacks one of its leaves: let an administrator run the output of 'recorder schema'"
              .formatted(table));
    }
    SortedMap<Long, TableState.NotedBlock> noted = blocks(connection);
    long current = currentBlock(connection, noted);
    boolean hasNewRows =
        withRows
            && known.get(Block.leafOf(current)).pages() > 0
            && hasRows(connection, leaves.get(Block.leafOf(current)));
    return new TableState(current, hasNewRows, known, noted);
  }

  /** Pages there may be without a row, of transactions that were rolled back. */
  private static boolean hasRows(Connection connection, String leaf) throws SQLException {
    Sql sql = Sql.of("SELECT EXISTS (SELECT FROM ONLY {leaf})", Map.of("leaf", leaf));
    try (SqlStatement statement = sql.on(connection)) {
      return statement.truth();
    }
  }

  private static final Sql CURRENT =
      Sql.of(
          """
          SELECT pg_sequence_last_value(pg_get_serial_sequence(:table, 'id')::regclass) >> 32
          """);

  /**
   * As long as no id was given out there is no last one: the first block is in use. If others were
   * noted, or it has rows, then somebody has set the counter and not used it since, of which
   * nothing is known.
   */
  private long currentBlock(Connection connection, SortedMap<Long, TableState.NotedBlock> noted)
      throws SQLException {
    try (SqlStatement statement = CURRENT.on(connection)) {
      Optional<Long> current =
          statement.set("table", table).first(row -> row.getObject(1, Long.class));
      boolean isFirst = noted.isEmpty() || noted.lastKey() == 0;
      if (current.isEmpty() && !(isFirst && !hasRows(connection, leaves.get(0)))) {
        throw new DatabaseException(
            DatabaseErrorKind.BUSY,
            "the counter of its ids tells nothing (it was just set, or the role lacks USAGE on"
                + " it)");
      }
      return current.orElse(0L);
    }
  }

  private static final String BLOCKS =
      """
      SELECT block, (extract(epoch FROM clock_timestamp() - begun_at) * 1000)::bigint, from_slot
      FROM {blocks} WHERE lock_id = :lock ORDER BY block DESC LIMIT :most
      """;

  private SortedMap<Long, TableState.NotedBlock> blocks(Connection connection) throws SQLException {
    SortedMap<Long, TableState.NotedBlock> noted = new TreeMap<>();
    try (SqlStatement statement = blocks.on(connection)) {
      statement
          .set("lock", term.lockId())
          .set("most", 2 * Block.LEAVES)
          .all(
              row ->
                  noted.put(
                      row.getLong(1),
                      new TableState.NotedBlock(
                          Duration.ofMillis(row.getLong(2)), row.getLong(3))));
    }
    return noted;
  }

  private static final String BEGIN =
      """
      INSERT INTO {blocks} (lock_id, block, begun_at, from_slot)
      VALUES (:lock, :block, clock_timestamp(), :fromSlot) ON CONFLICT DO NOTHING
      """;

  /** Notes a block of which nobody knows when it began: now at the latest. */
  void noteBlock(Connection connection, long block) throws SQLException {
    note(connection, block, 1);
  }

  private void note(Connection connection, long block, long fromSlot) throws SQLException {
    try (SqlStatement statement = begin.on(connection)) {
      statement.set("lock", term.lockId()).set("block", block).set("fromSlot", fromSlot).update();
    }
  }

  private static final String LAST_SLOT =
      """
      SELECT last_slot FROM {lock_recorders}
      WHERE lock_id = :lock AND epoch = :epoch AND holder = :machine FOR NO KEY UPDATE
      """;

  private static final Sql ROTATE =
      Sql.of("SELECT setval(pg_get_serial_sequence(:table, 'id')::regclass, :block::bigint << 32)");

  /**
   * Has ids of the block behind {@code block} given out; nothing if that has been done, or the term
   * is over. Locks no table: who has an id already, and inserts it later, finds its leaf as ever.
   *
   * <p>The recorder's row is locked meanwhile. Of two who would do it the second sees that it has
   * been done: to set the counter back would give ids twice. And no slot is settled meanwhile, so
   * that rows of the new block can only be in later ones.
   */
  boolean rotate(Connection connection, long block) throws SQLException {
    try (Transaction transaction = Transaction.begin(connection)) {
      Optional<Long> settled;
      try (SqlStatement statement = lastSlot.on(connection)) {
        settled =
            statement
                .set("lock", term.lockId())
                .set("epoch", term.epoch())
                .set("machine", term.machine())
                .first(row -> row.getLong(1));
      }
      // Looked at once more, as no slot is settled now: a late row in the next leaf would be of it.
      if (settled.isEmpty() || !look(connection, false).mayRotate(block)) {
        return false;
      }
      note(connection, block + 1, settled.get() + 1);
      try (SqlStatement statement = ROTATE.on(connection)) {
        statement.set("table", table).set("block", block + 1).number();
      }
      transaction.commit();
      return true;
    }
  }
}
