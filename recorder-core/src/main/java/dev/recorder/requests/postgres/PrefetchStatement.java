package dev.recorder.requests.postgres;

import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.requests.Claim;
import dev.recorder.requests.Prefetched;
import dev.recorder.requests.RequestType;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Claims a create whose id is known. Like {@link ClaimStatement}, it takes the entity's advisory
 * lock first, but needs no search for a row, and no checks for updates.
 */
final class PrefetchStatement {
  private PrefetchStatement() {}

  /** Returns the first rows above a line. */
  static final String LOOK =
      """
      SELECT id, entity_id, request_type FROM {table} r
      WHERE request_status = 'new' AND id > :line AND {can_begin}
      ORDER BY id LIMIT :most
      """;

  /**
   * Returns whether the row exists and its lock was granted, and the attempt's number if the
   * attempt has begun.
   */
  static final String CLAIM =
      """
      WITH mine AS MATERIALIZED (
        SELECT id, pg_try_advisory_lock(hashtextextended(entity_id, :seed)) AS had FROM {table} r
        WHERE id = :prefetched AND request_status = 'new' AND request_type = 'create'
          AND {can_begin}),
      locked AS MATERIALIZED (
        SELECT id FROM {table} r
        WHERE id = (SELECT id FROM mine WHERE had) AND request_status = 'new' AND {can_begin}
        FOR UPDATE SKIP LOCKED),
      begun AS (
        UPDATE {table} SET attempts = attempts + 1, process_id = :attempt, begun_by = :machine,
          begun_at = clock_timestamp()
        WHERE id = (SELECT id FROM locked) RETURNING attempts{not_durable})
      SELECT had, attempts FROM mine LEFT JOIN begun ON true
      """;

  /** Returns the first creates, up to the first row of another kind. */
  static List<Prefetched> look(SqlStatement statement, long line, int most) throws SQLException {
    List<Prefetched> found = new ArrayList<>();
    try (ResultSet row = statement.set("line", line).set("most", most).query()) {
      while (row.next() && row.getString(3).equals(RequestType.CREATE.word())) {
        found.add(new Prefetched(row.getLong(1), row.getString(2)));
      }
    }
    return found;
  }

  /** Runs a claim, or several statements that include one. */
  static ClaimStatement.ClaimAttempt run(
      SqlStatement statement, Prefetched prefetched, UUID process, WorkerParameters parameters)
      throws SQLException {
    parameters.claim(statement, process).set("prefetched", prefetched.id());
    try (ResultSet row = RequestStatements.rows(statement)) {
      return read(row, prefetched, process);
    }
  }

  private static ClaimStatement.ClaimAttempt read(
      ResultSet row, Prefetched prefetched, UUID process) throws SQLException {
    Claim gone = new Claim.PassedOver(prefetched.id(), Set.of());
    if (!row.next() || !row.getBoolean(1)) {
      return new ClaimStatement.ClaimAttempt(gone, "");
    }
    int attempts = row.getInt(2);
    return row.wasNull()
        ? new ClaimStatement.ClaimAttempt(gone, prefetched.entity())
        : new ClaimStatement.ClaimAttempt(
            new Claim.Begun(
                prefetched.id(), prefetched.entity(), RequestType.CREATE, attempts, 0, process),
            "");
  }
}
