package dev.recorder.requests.postgres;

import dev.recorder.requests.Claim;
import dev.recorder.requests.Prefetched;
import dev.recorder.requests.RequestType;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;
import java.util.UUID;

/**
 * Claims a create whose id is known. As a {@link ClaimStatement} does, the entity's advisory lock
 * first; the scan for a row that can be had, and the questions that only updates raise, are what it
 * saves.
 *
 * @param look gives the rows that come first behind a line. Parameters: line, number of rows
 * @param claim gives whether there is such a row and its lock was had, and the attempt's number if
 *     it is begun
 * @param claimAlone the same as a transaction by itself, which does not wait for the disk
 */
record PrefetchStatement(String look, String claim, String claimAlone) {

  static PrefetchStatement of(String table) {
    return new PrefetchStatement(
        """
        SELECT id, entity_id, request_type FROM %s r
        WHERE request_status = 'new' AND id > ? AND %s ORDER BY id LIMIT ?"""
            .formatted(table, ClaimStatement.NO_SUSPECT),
        claim(table, ""),
        claim(table, ", set_config('synchronous_commit', 'off', true)"));
  }

  private static String claim(String table, String returning) {
    return """
        WITH mine AS MATERIALIZED (
          SELECT id, pg_try_advisory_lock(hashtextextended(entity_id, ?)) AS had FROM %1$s r
          WHERE id = ? AND request_status = 'new' AND request_type = 'create' AND %2$s),
        locked AS MATERIALIZED (
          SELECT id FROM %1$s r
          WHERE id = (SELECT id FROM mine WHERE had) AND request_status = 'new' AND %2$s
          FOR UPDATE SKIP LOCKED),
        begun AS (
          UPDATE %1$s SET attempts = attempts + 1, process_id = ?, begun_by = ?,
            begun_at = clock_timestamp()
          WHERE id = (SELECT id FROM locked) RETURNING attempts%3$s)
        SELECT had, attempts FROM mine LEFT JOIN begun ON true"""
        .formatted(table, ClaimStatement.NO_SUSPECT, returning);
  }

  /** Sets the claim's parameters behind {@code p}; returns the last one's number. */
  int bind(
      PreparedStatement statement,
      int p,
      Prefetched prefetched,
      UUID process,
      String machine,
      long seed)
      throws SQLException {
    statement.setLong(p + 1, seed);
    statement.setLong(p + 2, prefetched.id());
    statement.setString(p + 3, process.toString());
    statement.setString(p + 4, machine);
    return p + 4;
  }

  /** Reads what the claim brought. */
  static ClaimStatement.Answer read(ResultSet row, Prefetched prefetched, UUID process)
      throws SQLException {
    Claim gone = new Claim.PassedOver(prefetched.id(), Set.of());
    if (!row.next() || !row.getBoolean(1)) {
      return new ClaimStatement.Answer(gone, "");
    }
    int attempts = row.getInt(2);
    return row.wasNull()
        ? new ClaimStatement.Answer(gone, prefetched.entity())
        : new ClaimStatement.Answer(
            new Claim.Begun(
                prefetched.id(), prefetched.entity(), RequestType.CREATE, attempts, 0, process),
            "");
  }
}
