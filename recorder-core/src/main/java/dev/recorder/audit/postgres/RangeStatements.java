package dev.recorder.audit.postgres;

import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import java.util.Map;

/**
 * The statements that read the rows on a range of a table's pages. They contain only numbers and
 * checked names, since COPY takes no parameters.
 *
 * @param pieceBytes size of a piece; a larger payload is read in pieces
 */
record RangeStatements(SchemaNames schemas, int lockId, int pieceBytes) {
  private static final int LARGEST_PIECE = 16 << 20;
  private static final int PIECES_A_HEAP = 16;

  /** A compressed payload may be larger than stored, by a factor of at most 255. */
  private static final int SMALL = 4 << 10;

  /** Creates statements with pieces of a sixteenth of the heap, but at most 16 MiB. */
  static RangeStatements of(SchemaNames schemas, int lockId) {
    long part = Runtime.getRuntime().maxMemory() / PIECES_A_HEAP;
    return new RangeStatements(schemas, lockId, (int) Math.min(LARGEST_PIECE, part));
  }

  /** An empty payload marks a row for {@link #PIECES}; JSON is never empty. */
  private static final String RANGE =
      """
      SELECT h.id, h.xid, h.time, {slot}, h.key,
        CASE WHEN {fits} THEN h.payload::text ELSE '' END
      FROM ONLY {partition} h {join}
      WHERE h.ctid >= {from}::tid AND h.ctid < {to}::tid
      """;

  /** The server unpacks each payload once, and sends it piece by piece. */
  private static final String PIECES =
      """
      SELECT h.id, h.xid, h.time, {slot}, h.key, substring(p.bytes FROM s.at FOR {piece})
      FROM ONLY {partition} h {join}
      CROSS JOIN LATERAL (SELECT convert_to(h.payload::text, 'UTF8') AS bytes OFFSET 0) p
      CROSS JOIN LATERAL generate_series(1, octet_length(p.bytes) + 1, {piece}) AS s (at)
      WHERE h.ctid >= {from}::tid AND h.ctid < {to}::tid AND NOT ({fits})
      """;

  private static final String FITS =
      "pg_column_size(h.payload) <= {small} OR octet_length(h.payload::text) <= {piece}";

  private static final String EXCLUDED =
      "LEFT JOIN {exclusions} e ON e.lock_id = {lock} AND e.xid = h.xid AND e.id = h.id";

  /**
   * Returns the statement for the rows on the pages {@code from} (inclusive) to {@code to}
   * (exclusive) of a table.
   */
  String range(String partition, long from, long to, boolean excluded) {
    return sql(RANGE, partition, from, to, excluded);
  }

  /** Returns the statement for those of the rows whose payload is larger than a piece. */
  String pieces(String partition, long from, long to, boolean excluded) {
    return sql(PIECES, partition, from, to, excluded);
  }

  private String sql(String form, String partition, long from, long to, boolean excluded) {
    Map<String, String> pieces =
        Map.of(
            "slot",
            excluded ? "e.slot" : "NULL::bigint",
            "partition",
            partition,
            "join",
            excluded ? EXCLUDED : "",
            "lock",
            Integer.toString(lockId),
            "from",
            Quoted.literal("(" + from + ",0)"),
            "to",
            Quoted.literal("(" + to + ",0)"),
            "fits",
            FITS,
            "small",
            Integer.toString(SMALL),
            "piece",
            Integer.toString(pieceBytes));
    return Sql.in(schemas, form, pieces).text();
  }
}
