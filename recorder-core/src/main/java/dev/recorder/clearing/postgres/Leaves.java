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

/** The leaves of one hand-off table, and the notes of its blocks. */
final class Leaves {
  private final Term term;
  private final String table;
  private final List<String> leaves;
  private final Sql state;
  private final Sql blocks;
  private final Sql begin;
  private final Sql lastSlot;

  /**
   * Creates the leaves of a recorder's table.
   *
   * @param term in which the leaves are changed
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

  /** The name of a leaf's table. */
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

  /** Reads the state of the leaves. */
  TableState look(Connection connection) throws SQLException {
    return look(connection, true);
  }

  /** {@code withRows}: whether to search for new rows, possibly past many dead ones. */
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

  /**
   * Whether a leaf has rows; it may have pages without rows, of transactions that were rolled back.
   */
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
   * Returns the block in use: the first one as long as no id was drawn. If notes of later blocks or
   * rows exist all the same, the counter was set and not used since, so the block is unknown.
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

  /** Notes now as the beginning of a block whose beginning is not noted. */
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
   * Has new ids come from the block behind {@code block}; no effect if that was done, or the term
   * is over. It locks no table: a producer that drew an id earlier and inserts it later still finds
   * its leaf.
   *
   * <p>It locks the recorder's row meanwhile. So if two hosts try this, the second one sees that it
   * was done; setting the counter back would assign ids twice. Also, no slot is settled meanwhile,
   * so that rows of the new block can only be in later slots.
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
      // Read again, as no slot is settled now; a late row in the next leaf would count for the new
      // block.
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
