package dev.recorder.requests.postgres;

import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.requests.Claim;
import dev.recorder.requests.RequestType;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The searched update that claims a row.
 *
 * <p>It looks at rows one by one, in the order of ids, until an entity's advisory lock is granted.
 * Only then is the row itself locked and read again. In the reverse order, workers would lock, and
 * so write, rows that others have already claimed. They would also wait for each other in spite of
 * SKIP LOCKED, which does not apply to rows that were updated since the snapshot.
 *
 * <p>LIMIT keeps the planner from joining and sorting rows that must be read one by one. Subqueries
 * instead of joins, and {@code w.id <> r.id}, leave the planner only look-ups by these keys. A
 * session's plans may date from a time when the table was empty. {@code octet_length} occurs
 * wherever an entity's rows are looked up, since the index leaves out ids that are too long for it.
 *
 * <p>Only an entity's next unit must check whether another request waits, since rows behind it
 * cannot overtake it. A create goes first.
 *
 * <p>After a lost attempt that one of an entity's requests may have caused, all of the entity's
 * requests that waited then may be poison messages, and are tried one by one. Requests that were
 * inserted a second after the attempt began, or later, were not in its unit. Locked requests are
 * left out: waiting for them could lose the claim, which would count as one more lost attempt.
 */
final class ClaimStatement {
  /** A claim tries to lock at most this many rows. */
  private static final String MOST_SEEN = "64";

  /** A claim reads at most this many rows, since any number may have to wait, or be skipped. */
  private static final String MOST_LOOKED_AT = "5000";

  private ClaimStatement() {}

  /** Returns the row. If no lock was granted, returns how far it looked and at which entities. */
  private static final String CLAIM =
      """
      WITH looked AS MATERIALIZED (
        SELECT id, entity_id, request_type,
          entity_id <> ALL (:passedOver) AND {can_begin} AND NOT (request_type = 'update' AND (
            EXISTS (
              SELECT FROM (
                SELECT id, not_before, begun_by IS NOT NULL OR deaths > 0 AS poison
                FROM {table} w
                WHERE w.entity_id = r.entity_id AND w.request_status = {new} AND {of_entity}
                ORDER BY id LIMIT {most_requests}) w
              WHERE w.not_before > clock_timestamp()
                OR w.poison AND (w.id < r.id OR NOT (r.begun_by IS NOT NULL OR r.deaths > 0)))
            OR EXISTS (
              SELECT FROM {table} w
              WHERE w.entity_id = r.entity_id AND w.request_type = 'create' AND {of_entity}
                AND w.request_status IN ('new', 'in-progress') AND w.id <> r.id))) AS is_ready
        FROM {table} r
        WHERE request_status = 'new' AND id > :line
        ORDER BY id LIMIT {most_looked_at}),
      seen AS MATERIALIZED (
        SELECT id, entity_id, request_type FROM looked WHERE is_ready LIMIT {most_seen}),
      mine AS MATERIALIZED (
        SELECT * FROM seen WHERE pg_try_advisory_lock(hashtextextended(entity_id, :seed)) LIMIT 1),
      locked AS MATERIALIZED (
        SELECT id, entity_id, begun_by IS NOT NULL AS died, begun_at FROM {table} r
        WHERE id = (SELECT id FROM mine) AND request_status = 'new' AND {can_begin}
        FOR UPDATE SKIP LOCKED),
      begun AS (
        UPDATE {table} SET attempts = attempts + 1, process_id = :attempt,
          deaths = deaths + CASE WHEN begun_by IS NULL THEN 0 ELSE 1 END,
          begun_by = :machine, begun_at = clock_timestamp()
        WHERE id = (SELECT id FROM locked)
        RETURNING attempts, deaths{not_durable}){fellows}
      SELECT id, entity_id, request_type, attempts, deaths, NULL::text[] AS entities
      FROM mine LEFT JOIN begun ON true
      UNION ALL
      SELECT max(id), NULL, NULL, NULL, NULL, array_agg(DISTINCT entity_id)
      FROM seen WHERE NOT EXISTS (SELECT FROM mine) HAVING count(*) > 0
      UNION ALL
      SELECT max(id), NULL, NULL, NULL, NULL, '{}' FROM looked
      WHERE NOT EXISTS (SELECT FROM seen) HAVING count(*) = {most_looked_at}
      """;

  private static final String IN_TIME =
      "(r.not_before IS NULL OR r.not_before <= clock_timestamp())";

  /** The pieces of a claim without poison messages. */
  static final Map<String, String> PIECES =
      Map.of(
          "claim", CLAIM,
          "in_time", IN_TIME,
          "can_begin", "{in_time} AND r.begun_by IS NULL AND r.deaths = 0",
          "fellows", "",
          "most_seen", MOST_SEEN,
          "most_looked_at", MOST_LOOKED_AT);

  private static final String FELLOWS =
      """
      ,
      fellows AS (
        UPDATE {table} SET deaths = 1, {touched} WHERE id = ANY (ARRAY(
          SELECT id FROM {table} WHERE id = ANY (ARRAY(
            SELECT id FROM {table} w
            WHERE entity_id = (SELECT entity_id FROM locked WHERE died)
              AND request_status = {new} AND {of_entity} ORDER BY id LIMIT {most_requests}))
            AND request_status = 'new' AND deaths = 0
            AND id <> (SELECT id FROM locked)
            AND created_at < (SELECT begun_at + interval '1 s' FROM locked)
          FOR UPDATE SKIP LOCKED)))
      """;

  /** For the first 10 s, only the host that died may claim its possible poison messages. */
  private static final String CAN_BEGIN_POISON =
      """
      {in_time} AND (r.begun_by IS NULL OR r.begun_by = :machine
        OR r.begun_at < clock_timestamp() - interval '10 s')
      """;

  /**
   * The pieces that replace those to also claim possible poison messages; each claim then costs a
   * third more.
   */
  static final Map<String, String> POISON_TOO =
      Map.of("can_begin", CAN_BEGIN_POISON, "fellows", FELLOWS);

  /** Runs a claim, or several statements that include one. */
  static ClaimAttempt run(
      SqlStatement statement,
      UUID process,
      long line,
      Collection<String> passedOver,
      WorkerParameters parameters)
      throws SQLException {
    parameters
        .claim(statement, process)
        .set("line", line)
        .setArray("passedOver", "text", passedOver.toArray());
    try (ResultSet row = RequestStatements.rows(statement)) {
      return read(row, process);
    }
  }

  /**
   * The result of a claim.
   *
   * @param lockedInVain the entity to unlock, since its row was settled, postponed or locked by
   *     others after it was read; else empty
   */
  record ClaimAttempt(Claim claim, String lockedInVain) {}

  private static ClaimAttempt read(ResultSet row, UUID process) throws SQLException {
    if (!row.next()) {
      return new ClaimAttempt(new Claim.Nothing(), "");
    }
    long id = row.getLong("id");
    String entity = row.getString("entity_id");
    if (entity == null) {
      return new ClaimAttempt(
          new Claim.PassedOver(id, Set.of((String[]) row.getArray("entities").getArray())), "");
    }
    int attempts = row.getInt("attempts");
    if (row.wasNull()) {
      return new ClaimAttempt(new Claim.PassedOver(id, Set.of()), entity);
    }
    return new ClaimAttempt(
        new Claim.Begun(
            id,
            entity,
            RequestType.of(row.getString("request_type")),
            attempts,
            row.getInt("deaths"),
            process),
        "");
  }
}
