package dev.recorder.postgres;

import dev.recorder.handoff.RecorderName;

/**
 * The SQL of a {@link RequestSession}. Several statements in one string travel in one round trip;
 * an entity is let go behind the COMMIT of what it protects.
 *
 * <p>{@code octet_length} stands wherever an entity's rows are looked for, since the index leaves
 * out ids that no index could hold.
 */
final class RequestStatements {
  /** A unit has at most so many requests, and, but for its first, so many bytes of payload. */
  private static final int MOST_REQUESTS = 1_000;

  private static final int MOST_BYTES = 16 << 20;

  /** For so long only the machine that died takes a suspect up again. */
  private static final String LEFT_TO_ITS_MACHINE = "interval '10 s'";

  private static final String IS_SUSPECT = "(begun_by IS NOT NULL OR deaths > 0)";

  private static final String UNLOCK = "SELECT pg_advisory_unlock(hashtextextended(?, ?))";

  private final String table;

  RequestStatements(SchemaNames names, RecorderName recorder) {
    this.table = names.handoffTable(recorder);
  }

  /**
   * Searched update. The row lock lasts for this statement; what keeps others away afterwards is
   * the advisory lock, which is tried only if nothing else stands in the way, so that none is left
   * over. Without waiting for the disk: a crash of the server has no worker to suspect.
   *
   * <p>After a death that one of an entity's requests may be to blame for, all of its requests that
   * wait are tried one by one. Those that somebody has locked are spared: to wait for them would
   * lose the claim, and with it, as it would seem, another worker.
   *
   * <p>Parameters: line, passed over, may be a suspect, machine, lockid, machine.
   */
  String claim() {
    return """
        WITH candidate AS MATERIALIZED (
          SELECT id, entity_id, request_type, %1$s AS suspect,
            set_config('synchronous_commit', 'off', true)
          FROM %2$s
          WHERE request_status = 'new' AND id > ? AND entity_id <> ALL (?)
            AND (not_before IS NULL OR not_before <= clock_timestamp())
            AND (NOT %1$s OR (? AND (begun_by IS NULL OR begun_by = ?
              OR begun_at < clock_timestamp() - %3$s)))
          ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED),
        looked AS MATERIALIZED (
          SELECT *, NOT EXISTS (
              SELECT FROM %2$s w WHERE w.entity_id = c.entity_id AND w.request_status = 'new'
                AND %4$s AND (w.not_before > clock_timestamp()
                  OR (%5$s AND (w.id < c.id OR NOT c.suspect))))
            AND (c.request_type = 'create' OR NOT EXISTS (
              SELECT FROM %2$s w WHERE w.entity_id = c.entity_id AND w.request_type = 'create'
                AND %4$s AND w.request_status IN ('new', 'in-progress'))) AS open
          FROM candidate c),
        locked AS MATERIALIZED (
          SELECT *, CASE WHEN open THEN pg_try_advisory_lock(hashtextextended(entity_id, ?))
            ELSE false END AS mine FROM looked),
        begun AS (
          UPDATE %2$s r SET attempts = r.attempts + 1,
            deaths = r.deaths + CASE WHEN r.begun_by IS NULL THEN 0 ELSE 1 END,
            begun_by = ?, begun_at = clock_timestamp()
          FROM locked WHERE r.id = locked.id AND locked.mine
          RETURNING r.attempts, r.deaths, r.begun_at::text),
        others AS (
          UPDATE %2$s SET deaths = 1 WHERE id = ANY (ARRAY(
            SELECT w.id FROM locked JOIN %2$s w ON w.entity_id = locked.entity_id
            WHERE locked.mine AND locked.suspect AND w.request_status = 'new' AND %4$s
              AND w.deaths = 0 AND w.id <> locked.id
            FOR UPDATE OF w SKIP LOCKED)))
        SELECT id, entity_id, request_type, mine, b.attempts, b.deaths, b.begun_at
        FROM locked LEFT JOIN begun b ON true"""
        .formatted(
            IS_SUSPECT,
            table,
            LEFT_TO_ITS_MACHINE,
            "octet_length(w.entity_id) <= " + RequestTable.LONGEST_ENTITY,
            "(w.begun_by IS NOT NULL OR w.deaths > 0)");
  }

  /**
   * Begins the transaction and locks the outstanding updates of an entity, and its create. In the
   * order of ids, as everybody does. Parameters: entity, entity.
   */
  String lockUpdates() {
    return begin()
        + """
        SELECT id, request_type, request_status, payload, attempts, pg_current_xact_id()
        FROM %1$s WHERE id = ANY (ARRAY(
          SELECT id FROM (
            SELECT id, row_number() OVER w AS place,
              sum(coalesce(octet_length(payload::text), 0)) OVER w AS bytes
            FROM %1$s
            WHERE entity_id = ? AND request_status = 'new' AND request_type = 'update' AND %2$s
            WINDOW w AS (ORDER BY id) ORDER BY id LIMIT %3$d) s
          WHERE place = 1 OR bytes <= %4$d
          UNION ALL
          SELECT id FROM %1$s WHERE entity_id = ? AND request_type = 'create' AND %2$s))
        ORDER BY id FOR UPDATE NOWAIT"""
            .formatted(table, entityIsIndexed(), MOST_REQUESTS, MOST_BYTES);
  }

  /** The same for one request alone, and its entity's create. Parameters: id, entity. */
  String lockOne() {
    return begin()
        + """
        SELECT id, request_type, request_status, payload, attempts, pg_current_xact_id()
        FROM %1$s WHERE id = ANY (ARRAY(
          SELECT ?::bigint
          UNION ALL
          SELECT id FROM %1$s WHERE entity_id = ? AND request_type = 'create' AND %2$s))
        ORDER BY id FOR UPDATE NOWAIT"""
            .formatted(table, entityIsIndexed());
  }

  /** With the lock on the table that the settlement will need: nobody can take it meanwhile. */
  private String begin() {
    return "BEGIN; LOCK TABLE " + table + " IN ROW EXCLUSIVE MODE; ";
  }

  /**
   * Settles requests as complete. Parameters: process, the begun id, ids.
   *
   * @param from statuses that they may have
   */
  String complete(String from) {
    return settle("'complete', error_text = NULL", "", "r.id = ANY (?::bigint[])", from);
  }

  /** Settles requests as errors. Parameters: process, the begun id, ids, texts. */
  String fail() {
    return settle(
        "'error', error_text = f.why",
        " FROM unnest(?::bigint[], ?::text[]) AS f (failed, why)",
        "r.id = f.failed",
        "'new'");
  }

  /** Of the unit only the request that was begun has this attempt counted already. */
  private String settle(String status, String join, String which, String from) {
    return "UPDATE "
        + table
        + " r SET request_status = "
        + status
        + ", process_id = ?, settled_at = clock_timestamp(), fence = pg_current_xact_id(),"
        + " begun_by = NULL, not_before = NULL, attempts = attempts"
        + " + CASE WHEN id = ? OR request_status <> 'new' THEN 0 ELSE 1 END"
        + join
        + " WHERE "
        + which
        + " AND r.request_status IN ("
        + from
        + "); ";
  }

  /** Commits, and lets the entity go. Parameters: entity, lockid. */
  String letGo() {
    return "COMMIT; " + UNLOCK;
  }

  /** What follows is a transaction of its own, whatever state this one is in. */
  String rollBack() {
    return "ROLLBACK; BEGIN; ";
  }

  /**
   * As if it had not been begun; of no effect if it was settled. Parameters: id, machine, token.
   */
  String disown() {
    return "UPDATE "
        + table
        + " SET attempts = attempts - 1, begun_by = NULL WHERE id = ? AND request_status = 'new'"
        + " AND begun_by = ? AND begun_at = ?::timestamptz; ";
  }

  /**
   * Notes a failed attempt. Parameters: the begun id, greatest number of attempts, process,
   * message, pause in milliseconds, ids.
   */
  String postpone() {
    String made = "attempts + CASE WHEN id = begun THEN 0 ELSE 1 END";
    return """
        UPDATE %1$s SET
          request_status = CASE WHEN %3$s THEN 'error' ELSE 'new' END,
          settled_at = CASE WHEN %3$s THEN clock_timestamp() END,
          process_id = CASE WHEN %3$s THEN process END,
          not_before = CASE WHEN %3$s THEN NULL ELSE clock_timestamp() + pause END,
          attempts = %2$s, error_text = why, begun_by = NULL
        FROM (SELECT ?::bigint AS begun, ?::int AS most, ?::uuid AS process, ?::text AS why,
          ? * interval '1 millisecond' AS pause) now
        WHERE id = ANY (?::bigint[]) AND request_status = 'new'
        RETURNING request_status; """
        .formatted(table, made, made + " >= most");
  }

  /** Parameter: ids. */
  String statuses() {
    return "SELECT id, request_status FROM " + table + " WHERE id = ANY (?::bigint[])";
  }

  private static String entityIsIndexed() {
    return "octet_length(entity_id) <= " + RequestTable.LONGEST_ENTITY;
  }
}
