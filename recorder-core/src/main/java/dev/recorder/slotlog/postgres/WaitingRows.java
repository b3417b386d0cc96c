package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.Position;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Snapshot;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlTemplate;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The statements that read the rows of a hand-off table between a position and a snapshot, in the
 * order (xid, id), by the index on it. Their cost depends on the rows that they return, not on the
 * recorded rows.
 *
 * <p>They consist of literal numbers and checked names, since COPY takes no parameters.
 */
public final class WaitingRows {
  /**
   * The most stored bytes of a payload in a batch. A row with a larger payload comes without it and
   * is then fetched alone. A payload that is stored compressed may be up to 255 times as large.
   */
  static final int LARGE_PAYLOAD = 16 << 10;

  private static final int LARGE_KEY = 8 << 10;

  /**
   * Fails with 42883 if a column has another type than the recorder gave it. COPY would then return
   * other bytes, or numbers with another meaning. The comparison is between arrays, because single
   * values would be cast. The planner removes the condition, so it costs nothing per row.
   */
  private static final String IS_AS_MADE =
      """
      (true OR json_typeof(h.payload) IS NULL OR ARRAY[h.id] = '{}'::bigint[]
        OR ARRAY[h.xid] = '{}'::xid8[] OR ARRAY[h.time] = '{}'::timestamptz[]
        OR ARRAY[h.key] = '{}'::text[])
      """;

  private static final String HAS_TIME = "(true OR ARRAY[h.time] = '{}'::timestamptz[])";

  private static final String FROM =
      """
      FROM {table} h
      WHERE {range} AND pg_visible_in_snapshot(h.xid, {to}::pg_snapshot) {but_excluded}
      """;

  private static final String AT =
      "FROM {table} h WHERE h.xid = {xid}::xid8 AND h.id = {id} AND {is_as_made}";

  /** Skips rows that are in objects of a lost history; see {@link IdentityAdoption}. */
  private static final String BUT_EXCLUDED =
      """
      AND NOT EXISTS (
        SELECT FROM {exclusions} e WHERE e.lock_id = {lock} AND e.xid = h.xid AND e.id = h.id)
      """;

  private final String table;
  private final String butExcluded;

  public WaitingRows(SchemaNames schemas, RecorderName recorder, int lockId) {
    this.table = schemas.handoffTable(recorder);
    this.butExcluded =
        Sql.in(schemas, BUT_EXCLUDED, Map.of("lock", Integer.toString(lockId))).text();
  }

  String table() {
    return table;
  }

  /**
   * Tells small rows from large ones without decompressing them, since the server examines many
   * rows that are not taken.
   */
  private static final String SELECT =
      """
      SELECT w.id, w.xid, w.time, CASE WHEN w.small THEN w.key END,
        CASE WHEN w.small THEN w.payload END
      FROM (
        SELECT h.id, h.xid, h.time, h.key, h.payload,
          pg_column_size(h.payload) <= {large_payload}
            AND (h.key IS NULL OR octet_length(h.key) <= {large_key}) AS small
        {from} AND {is_as_made}
        ORDER BY h.xid, h.id LIMIT {limit}) w
      """;

  /**
   * Returns a query for at most {@code limit} rows of one of {@link HandoffRanges}, with id, xid,
   * time, key and payload. Key and payload of a large row are null.
   *
   * @param exclusions whether some rows are excluded; if not, the query does not check
   */
  String select(String range, Snapshot to, boolean exclusions, int limit) {
    return within(range, to, exclusions, limit, SELECT);
  }

  /** Returns a query for one row by its place, whatever its size. */
  String one(long xid, long id) {
    return at(xid, id, "SELECT h.id, h.xid, h.time, h.key, h.payload {at}");
  }

  private static final String SIZE =
      """
      SELECT coalesce(octet_length(h.key), 0)::bigint
        + CASE WHEN pg_column_compression(h.payload) IS NULL THEN pg_column_size(h.payload)
          ELSE octet_length(h.payload::text) END
      {at}
      """;

  /** Returns a query for the size of a row's key and payload, in bytes. */
  String sizeOf(long xid, long id) {
    return at(xid, id, SIZE);
  }

  private String at(long xid, long id, String select) {
    Map<String, String> pieces =
        Map.of(
            "at", AT,
            "table", table,
            "xid", Quoted.literal(Long.toString(xid)),
            "id", Long.toString(id),
            "is_as_made", IS_AS_MADE);
    return Sql.of(select, pieces).text();
  }

  /** Returns the number of rows between a position and a snapshot, counted up to {@code limit}. */
  public int count(Connection connection, Position from, Snapshot to, int limit)
      throws SQLException {
    List<String> ranges = HandoffRanges.between(from, to, new LongTransactions(to));
    if (ranges.isEmpty()) {
      return 0;
    }
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(counting(ranges, to, limit))) {
      row.next();
      return row.getInt(1);
    }
  }

  /** Returns a query that counts the rows of some of {@link HandoffRanges}, up to {@code limit}. */
  String counting(List<String> ranges, Snapshot to, int limit) {
    String rows =
        ranges.stream()
            .map(range -> within(range, to, true, limit, "(SELECT {from} LIMIT {limit})"))
            .collect(Collectors.joining(" UNION ALL "));
    return Sql.of(
            "SELECT count(*) FROM (SELECT FROM ({rows}) r LIMIT {limit}) counted",
            Map.of("rows", rows, "limit", Integer.toString(limit)))
        .text();
  }

  private static final String TIME_OF_FIRST =
      "(SELECT h.time, h.xid, h.id {from} AND {has_time} ORDER BY h.xid, h.id LIMIT {limit})";

  private static final String EARLIEST = "SELECT time FROM ({firsts}) f ORDER BY xid, id LIMIT 1";

  /** Returns when the transaction of the first row began; null if there is no row. */
  public @Nullable Instant first(Connection connection, Position from, Snapshot to)
      throws SQLException {
    List<String> ranges = HandoffRanges.between(from, to, new LongTransactions(to));
    if (ranges.isEmpty()) {
      return null;
    }
    String firsts =
        ranges.stream()
            .map(range -> within(range, to, true, 1, TIME_OF_FIRST))
            .collect(Collectors.joining(" UNION ALL "));
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(SqlTemplate.fill(EARLIEST, Map.of("firsts", firsts)))) {
      return row.next() ? row.getObject(1, OffsetDateTime.class).toInstant() : null;
    }
  }

  private String within(String range, Snapshot to, boolean exclusions, int limit, String select) {
    Map<String, String> pieces =
        Map.of(
            "from",
            FROM,
            "table",
            table,
            "range",
            range,
            "to",
            Quoted.literal(to.toString()),
            "but_excluded",
            exclusions ? butExcluded : "",
            "is_as_made",
            IS_AS_MADE,
            "has_time",
            HAS_TIME,
            "large_payload",
            Integer.toString(LARGE_PAYLOAD),
            "large_key",
            Integer.toString(LARGE_KEY),
            "limit",
            Integer.toString(limit));
    return Sql.of(select, pieces).text();
  }
}
