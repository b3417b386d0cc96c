package dev.recorder.postgres;

import dev.recorder.handoff.RecorderName;

/**
 * The SQL of a {@link RequestSession}. Several statements in one string travel in one round trip.
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
          RETURNING r.attempts, r.deaths, r.begun_at::text)
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
   * After a death that one of an entity's requests may be to blame for: all that wait are tried one
   * by one. Parameters: entity, id of the one that is counted already.
   */
  String suspectOthers() {
    return "UPDATE "
        + table
        + " SET deaths = 1 WHERE entity_id = ? AND request_status = 'new' AND "
        + entityIsIndexed()
        + " AND deaths = 0 AND id <> ?";
  }

  /**
   * Begins the transaction and locks the outstanding updates of an entity, and its create. In the
   * order of ids, as everybody does. Parameters: entity, entity.
   */
  String lockUpdates() {
    return """
        BEGIN; SELECT id, request_type, request_status, payload, attempts, pg_current_xact_id()
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
    return """
        BEGIN; SELECT id, request_type, request_status, payload, attempts, pg_current_xact_id()
        FROM %1$s WHERE id = ANY (ARRAY(
          SELECT ?::bigint
          UNION ALL
          SELECT id FROM %1$s WHERE entity_id = ? AND request_type = 'create' AND %2$s))
        ORDER BY id FOR UPDATE NOWAIT"""
        .formatted(table, entityIsIndexed());
  }

  /**
   * Settles complete ones, commits, lets the entity go. Parameters: process, the begun id, ids,
   * entity, lockid.
   */
  String complete() {
    return completeIds() + "; COMMIT; " + UNLOCK;
  }

  /**
   * The same, and errors: parameters of both UPDATEs, then entity, lockid. Of the errors: process,
   * the begun id, ids, texts.
   */
  String completeAndFail() {
    return completeIds()
        + "; UPDATE "
        + table
        + " r SET request_status = 'error', error_text = f.why,"
        + settled()
        + " FROM unnest(?::bigint[], ?::text[]) AS f (failed, why)"
        + " WHERE r.id = f.failed AND r.request_status = 'new'; COMMIT; "
        + UNLOCK;
  }

  private String completeIds() {
    return "UPDATE "
        + table
        + " r SET request_status = 'complete', error_text = NULL,"
        + settled()
        + " WHERE id = ANY (?::bigint[]) AND request_status = 'new'";
  }

  /** Of the unit only the request that was begun has this attempt counted already. */
  private static String settled() {
    return " process_id = ?, settled_at = clock_timestamp(), fence = pg_current_xact_id(),"
        + " begun_by = NULL, not_before = NULL,"
        + " attempts = attempts + CASE WHEN id = ? THEN 0 ELSE 1 END";
  }

  /**
   * Those that had been given up and have their effect all the same. Parameters: fence of the unit
   * that did them, ids, then those of {@link #takeBack}.
   */
  String found() {
    return "UPDATE "
        + table
        + " SET request_status = 'complete', error_text = NULL, settled_at = clock_timestamp(),"
        + " fence = ?::xid8 WHERE id = ANY (?::bigint[]) AND request_status = 'error'; COMMIT; "
        + takeBack();
  }

  /** Parameters: id, machine, token, entity, lockid. */
  String takeBack() {
    return disown() + "; " + UNLOCK;
  }

  /** Parameters: id, machine, token. */
  String disown() {
    return "UPDATE "
        + table
        + " SET attempts = attempts - 1, begun_by = NULL WHERE id = ? AND request_status = 'new'"
        + " AND begun_by = ? AND begun_at = ?::timestamptz";
  }

  /**
   * Parameters: greatest number of attempts (three times), process, message, pause in milliseconds,
   * the begun id, ids, entity, lockid.
   */
  String postpone() {
    return """
        ROLLBACK; UPDATE %s SET
          request_status = CASE WHEN %2$s >= ? THEN 'error' ELSE 'new' END,
          settled_at = CASE WHEN %2$s >= ? THEN clock_timestamp() END,
          process_id = CASE WHEN %2$s >= ? THEN ?::uuid END,
          error_text = ?, begun_by = NULL,
          not_before = clock_timestamp() + ? * interval '1 millisecond',
          attempts = %2$s
        FROM (SELECT ?::bigint AS begun) b
        WHERE id = ANY (?::bigint[]) AND request_status = 'new'
        RETURNING request_status"""
            .formatted(table, "attempts + CASE WHEN id = b.begun THEN 0 ELSE 1 END")
        + "; "
        + UNLOCK;
  }

  /** Parameter: ids. */
  String statuses() {
    return "SELECT id, request_status FROM " + table + " WHERE id = ANY (?::bigint[])";
  }

  private static String entityIsIndexed() {
    return "octet_length(entity_id) <= " + RequestTable.LONGEST_ENTITY;
  }
}
