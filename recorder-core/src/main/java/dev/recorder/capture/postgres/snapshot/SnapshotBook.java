package dev.recorder.capture.postgres.snapshot;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureRule;
import dev.recorder.capture.script.ColumnQuery;
import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.postgres.pin.DatabasePin;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/**
 * The progress of a table's snapshot, in a row of the database. The progress moves in the
 * transaction that hands rows over, and only if the table and its capture are unchanged since the
 * snapshot began. Otherwise nothing moves, and the caller reads both again.
 */
final class SnapshotBook {
  private final Connection connection;
  private final CaptureNames names;
  private final CaptureRule rule;
  private final long root;

  /**
   * Identifies the server and its timeline. A promotion may lose commits whose changes the log has,
   * so after it all rows must be handed over again.
   */
  private final String server;

  /**
   * Opens the progress of one table. Must be called outside a transaction.
   *
   * @param root the table's oid
   */
  SnapshotBook(Connection connection, CaptureNames names, CaptureRule rule, long root)
      throws SQLException {
    this.connection = connection;
    this.names = names;
    this.rule = rule;
    this.root = root;
    DatabaseIdentity here = DatabasePin.here(connection);
    this.server = here.system() + "/" + here.timeline();
  }

  /**
   * A table that has rows: the captured table or one of its partitions.
   *
   * @param name the name, quoted for SQL
   * @param end the first place after its rows
   * @param next the first place that is not read yet
   */
  record SnapshotPart(long oid, String name, long end, long next) {
    boolean isDone() {
      return next >= end;
    }
  }

  private static final Map<String, String> PIECES =
      Map.of(
          "this_one",
          "s.recorder = :recorder AND s.captured = :captured AND s.server = :server",
          "under_way",
          "s.recorder = :recorder AND s.captured = :captured AND s.server = :server"
              + " AND s.begun = :begun AND s.ended_at IS NULL",
          "as_it_was",
          SqlTemplate.fill(
              """
              c.recorder = s.recorder AND c.captured = s.captured AND c.since = s.since \
              AND {fingerprint} = :fingerprint""",
              Map.of("fingerprint", ColumnQuery.fingerprint(":root::oid"))),
          "relations",
          "(SELECT :root::oid AS oid"
              + " UNION SELECT t.relid FROM pg_partition_tree(:root::oid::regclass) t)",
          "percent",
          SnapshotList.PERCENT,
          "places",
          Integer.toString(ChunkSize.PLACES_PER_BLOCK));

  private SqlStatement on(String text) throws SQLException {
    return Sql.in(names.schemas(), text, PIECES)
        .on(connection)
        .set("recorder", rule.recorder().value())
        .set("captured", rule.table().logged())
        .set("server", server);
  }

  private static final String OPEN =
      """
      SELECT s.begun FROM {snapshots} s JOIN {captures} c USING (recorder, captured)
      WHERE {this_one} AND s.ended_at IS NULL AND s.since = c.since
        AND (c.stale_at IS NULL OR c.stale_at = 'infinity' OR s.begun_at >= c.stale_at)
      """;

  /**
   * Returns the number of the unfinished snapshot; empty if there is none that began on this server
   * and timeline, after the capture was set up, and after it last lost changes.
   */
  Optional<Long> open() throws SQLException {
    try (SqlStatement statement = on(OPEN)) {
      return statement.first(row -> row.getLong(1));
    }
  }

  private static final String BEGIN =
      """
      INSERT INTO {snapshots} AS s (recorder, captured, begun, since, server, blocks)
      SELECT c.recorder, c.captured, :begun, c.since, :server,
        (SELECT coalesce(sum(pg_relation_size(r.oid)), 0)::bigint
            / current_setting('block_size')::bigint
          FROM {relations} AS i JOIN pg_class r ON r.oid = i.oid WHERE r.relkind = 'r')
      FROM {captures} c WHERE c.recorder = :recorder AND c.captured = :captured
      ON CONFLICT (recorder, captured) DO UPDATE SET begun = excluded.begun,
        since = excluded.since, server = excluded.server, begun_at = excluded.begun_at,
        updated_at = excluded.updated_at, ended_at = NULL, row_count = 0,
        blocks = excluded.blocks, blocks_done = 0, parts_done = '{}', part = NULL, part_file = NULL, part_blocks = NULL, next_place = NULL
      """;

  private static final String AS_IT_WAS =
      """
      SELECT EXISTS (SELECT FROM {snapshots} s, {captures} c
        WHERE {under_way} AND {as_it_was} AND c.since = :since::timestamptz)
      """;

  /**
   * Begins a snapshot, which replaces the last one.
   *
   * @return whether table and capture are unchanged; if not, the caller must roll back
   */
  boolean begin(SnapshotSource source, long begun) throws SQLException {
    try (SqlStatement statement = on(BEGIN)) {
      statement.set("begun", begun).set("root", root).update();
    }
    try (SqlStatement statement = on(AS_IT_WAS)) {
      return statement
          .set("begun", begun)
          .set("fingerprint", source.fingerprint())
          .set("since", source.capture().since().toString())
          .set("root", root)
          .truth();
    }
  }

  private static final String PART =
      """
      SELECT s.part, format('%I.%I', n.nspname, r.relname), s.part_blocks * {places}, s.next_place
      FROM {snapshots} s JOIN pg_class r ON r.oid = s.part
      JOIN pg_namespace n ON n.oid = r.relnamespace
      WHERE {under_way} AND s.part_file = pg_relation_filenode(s.part)
        AND coalesce(pg_partition_root(s.part)::oid, s.part) = :root::oid
      """;

  private static final String BEGIN_PART =
      """
      UPDATE {snapshots} s SET part = p.oid, part_file = p.file, part_blocks = p.blocks,
        next_place = 0, updated_at = clock_timestamp()
      FROM (
        SELECT r.oid, pg_relation_filenode(r.oid) AS file,
          pg_relation_size(r.oid) / current_setting('block_size')::bigint AS blocks
        FROM {relations} AS i JOIN pg_class r ON r.oid = i.oid
        WHERE r.relkind = 'r' AND NOT r.oid = ANY (
          SELECT unnest(s.parts_done) FROM {snapshots} s WHERE {this_one})
        ORDER BY r.oid LIMIT 1) AS p
      WHERE {under_way}
      """;

  /**
   * Returns the part to read next; empty if all parts are read. This is the part that was begun, if
   * there is one. If its rows have moved to other places, as by VACUUM FULL, it is read from the
   * beginning.
   */
  Optional<SnapshotPart> part(long begun) throws SQLException {
    Optional<SnapshotPart> part = begunPart(begun);
    if (part.isPresent()) {
      return part;
    }
    try (SqlStatement statement = on(BEGIN_PART)) {
      boolean more = statement.set("begun", begun).set("root", root).update() > 0;
      return more ? begunPart(begun) : Optional.empty();
    }
  }

  private Optional<SnapshotPart> begunPart(long begun) throws SQLException {
    try (SqlStatement statement = on(PART)) {
      return statement.set("begun", begun).set("root", root).first(SnapshotBook::read);
    }
  }

  private static SnapshotPart read(ResultSet row) throws SQLException {
    return new SnapshotPart(row.getLong(1), row.getString(2), row.getLong(3), row.getLong(4));
  }

  private static final String IS_AT =
      """
      SELECT EXISTS (SELECT FROM {snapshots} s, {captures} c, pg_class r
        WHERE {under_way} AND {as_it_was} AND s.part = :part::oid
          AND s.part_file = pg_relation_filenode(s.part)
          AND r.oid = s.part AND r.oid = to_regclass(:name) AND r.relkind = 'r'
          AND coalesce(pg_partition_root(s.part)::oid, s.part) = :root::oid)
      """;

  /**
   * Returns whether the part is unchanged and still has its name. Must be called after the name is
   * locked and before the part is read. Otherwise code of a relation that now has the name could
   * run.
   */
  boolean isAt(long begun, long fingerprint, SnapshotPart part) throws SQLException {
    try (SqlStatement statement = on(IS_AT)) {
      return statement
          .set("begun", begun)
          .set("fingerprint", fingerprint)
          .set("part", part.oid())
          .set("name", part.name())
          .set("root", root)
          .truth();
    }
  }

  private static final String ADVANCE =
      """
      UPDATE {snapshots} s SET next_place = :next, row_count = s.row_count + :rows,
        updated_at = clock_timestamp()
      FROM {captures} c
      WHERE {under_way} AND {as_it_was} AND s.part = :part::oid AND s.next_place = :from
        AND s.part_file = pg_relation_filenode(s.part) AND s.part = to_regclass(:name)
        AND coalesce(pg_partition_root(s.part)::oid, s.part) = :root::oid
      RETURNING s.row_count, {percent}
      """;

  /**
   * The progress after a chunk was handed over.
   *
   * @param rows rows that this snapshot has handed over so far
   * @param percent percentage of the table that is read
   */
  record Chunk(long rows, int percent) {}

  /**
   * Notes that this transaction hands over the rows of a part up to {@code next}.
   *
   * @return empty if the table or capture has changed; the caller must then roll back
   */
  Optional<Chunk> advance(long begun, long fingerprint, SnapshotPart part, long next, long rows)
      throws SQLException {
    try (SqlStatement statement = on(ADVANCE)) {
      return statement
          .set("begun", begun)
          .set("fingerprint", fingerprint)
          .set("part", part.oid())
          .set("name", part.name())
          .set("from", part.next())
          .set("next", next)
          .set("rows", rows)
          .set("root", root)
          .first(row -> new Chunk(row.getLong(1), row.getInt(2)));
    }
  }

  private static final String END_PART =
      """
      UPDATE {snapshots} s SET parts_done = s.parts_done || s.part,
        blocks_done = s.blocks_done + s.part_blocks, part = NULL, part_file = NULL,
        part_blocks = NULL, next_place = NULL, updated_at = clock_timestamp()
      WHERE {under_way} AND s.part = :part::oid AND s.next_place >= s.part_blocks * {places}
      """;

  void endPart(long begun, SnapshotPart part) throws SQLException {
    try (SqlStatement statement = on(END_PART)) {
      statement.set("begun", begun).set("part", part.oid()).update();
    }
  }

  private static final String END =
      """
      UPDATE {snapshots} s SET ended_at = clock_timestamp(), updated_at = clock_timestamp(),
        row_count = s.row_count + :rows, parts_done = CASE WHEN s.parts_done <> '{}'
          THEN s.parts_done ELSE ARRAY(SELECT r.oid FROM {relations} AS i
            JOIN pg_class r ON r.oid = i.oid WHERE r.relkind = 'r') END
      FROM {captures} c WHERE {under_way} AND {as_it_was}
      """;

  /**
   * Ends the snapshot in this transaction, which may also have handed over all rows if there are no
   * parts.
   *
   * @param rows rows handed over in this transaction
   * @return whether nothing has changed; if not, the caller must roll back
   */
  boolean end(long begun, long fingerprint, long rows) throws SQLException {
    try (SqlStatement statement = on(END)) {
      return statement
              .set("begun", begun)
              .set("fingerprint", fingerprint)
              .set("rows", rows)
              .set("root", root)
              .update()
          == 1;
    }
  }

  private static final String ROWS = "SELECT s.row_count FROM {snapshots} s WHERE {this_one}";

  /** Returns the number of rows handed over. */
  long rows() throws SQLException {
    try (SqlStatement statement = on(ROWS)) {
      return statement.number();
    }
  }
}
