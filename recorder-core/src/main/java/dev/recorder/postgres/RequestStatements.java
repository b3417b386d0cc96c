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

  /** A claim tries for at most so many rows. */
  private static final int MOST_SEEN = 64;

  /**
   * Whether a row {@code r} may be worked on by itself: not before its time, and a suspect only
   * with permission, and for the first 10 s only by the machine that died. Parameters: may be a
   * suspect, machine.
   */
  private static final String DUE =
      "(r.not_before IS NULL OR r.not_before <= clock_timestamp())"
          + " AND (r.begun_by IS NULL AND r.deaths = 0 OR ? AND (r.begun_by IS NULL"
          + " OR r.begun_by = ? OR r.begun_at < clock_timestamp() - interval '10 s'))";

  private static final String UNLOCK = "SELECT pg_advisory_unlock(hashtextextended(?, ?))";

  private final String table;

  RequestStatements(SchemaNames names, RecorderName recorder) {
    this.table = names.handoffTable(recorder);
  }

  /**
   * Searched update. Rows are looked at one by one, in the order of ids, until an entity's advisory
   * lock is had; only then is the row itself locked and looked at as it is now. The other way round
   * workers would lock, and so write, rows that others have claimed already, and wait for each
   * other in spite of SKIP LOCKED, which does not hold for rows that were updated since the
   * snapshot. Commits without waiting for the disk: a crash of the server has no worker to suspect.
   *
   * <p>Gives the row; or, if there are rows but no lock was had, how far it looked and at what.
   * Parameters: line, passed over, may be a suspect, machine, seed, may be a suspect, machine,
   * machine.
   */
  String claim() {
    return """
        WITH seen AS MATERIALIZED (
          SELECT id, entity_id, request_type FROM %1$s r
          WHERE request_status = 'new' AND id > ? AND entity_id <> ALL (?) AND %2$s
            AND NOT EXISTS (
              SELECT FROM %1$s w WHERE w.entity_id = r.entity_id AND w.request_status = 'new'
                AND %3$s AND (w.not_before > clock_timestamp()
                  OR (w.begun_by IS NOT NULL OR w.deaths > 0)
                    AND (w.id < r.id OR NOT (r.begun_by IS NOT NULL OR r.deaths > 0))))
            AND (request_type = 'create' OR NOT EXISTS (
              SELECT FROM %1$s w WHERE w.entity_id = r.entity_id AND w.request_type = 'create'
                AND %3$s AND w.request_status IN ('new', 'in-progress')))
          ORDER BY id LIMIT %4$d),
        mine AS MATERIALIZED (
          SELECT * FROM seen WHERE pg_try_advisory_lock(hashtextextended(entity_id, ?)) LIMIT 1),
        locked AS MATERIALIZED (
          SELECT r.id FROM mine JOIN %1$s r USING (id) WHERE r.request_status = 'new' AND %2$s
          FOR UPDATE OF r SKIP LOCKED),
        begun AS (
          UPDATE %1$s r SET attempts = r.attempts + 1,
            deaths = r.deaths + CASE WHEN r.begun_by IS NULL THEN 0 ELSE 1 END,
            begun_by = ?, begun_at = clock_timestamp()
          FROM locked WHERE r.id = locked.id
          RETURNING r.attempts, r.deaths, r.begun_at::text,
            set_config('synchronous_commit', 'off', true))
        SELECT id, entity_id, request_type, attempts, deaths, begun_at, NULL::text[]
        FROM mine LEFT JOIN begun ON true
        UNION ALL
        SELECT max(id), NULL, NULL, NULL, NULL, NULL, array_agg(DISTINCT entity_id)
        FROM seen WHERE NOT EXISTS (SELECT FROM mine) HAVING count(*) > 0"""
        .formatted(
            table, DUE, "octet_length(w.entity_id) <= " + RequestTable.LONGEST_ENTITY, MOST_SEEN);
  }

  /** Lets an entity go that turned out not to be had. Parameters: entity, seed. */
  String unlock() {
    return UNLOCK;
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
   * Settles complete ones, commits, lets the entity go. Parameters: process, the begun id, ids;
   * with errors process, the begun id, ids, texts again; then those of {@link #takeBack}, or if the
   * one that was begun is settled only entity and seed.
   */
  String settle(boolean anyFailed, boolean begunIsSettled) {
    return completeIds()
        + (anyFailed ? "; " + failIds() : "")
        + "; COMMIT; "
        + (begunIsSettled ? UNLOCK : takeBack());
  }

  private String failIds() {
    return "UPDATE "
        + table
        + " r SET request_status = 'error', error_text = f.why,"
        + settled()
        + " FROM unnest(?::bigint[], ?::text[]) AS f (failed, why)"
        + " WHERE r.id = f.failed AND r.request_status = 'new'";
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
   * Those whose effect is there already, whatever has become of them since. Parameters: process,
   * fence, ids, then those of {@link #takeBack}, which has no effect on one that is settled by now.
   */
  String found() {
    return "UPDATE "
        + table
        + " SET request_status = 'complete', error_text = NULL, process_id = ?,"
        + " settled_at = clock_timestamp(), fence = ?::xid8, begun_by = NULL, not_before = NULL"
        + " WHERE id = ANY (?::bigint[]) AND request_status IN ('new', 'error'); COMMIT; "
        + takeBack();
  }

  /** Parameters: id, machine, token, entity, seed. */
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
   * the begun id, ids, entity, seed.
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
