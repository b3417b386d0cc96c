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

  /**
   * Where an entity's rows are looked for. The planner does not see through it, and so keeps off
   * the index of all new rows, which it would take while that is small, and go on taking.
   */
  private static final String NEW = "(SELECT 'new')";

  /** Stands where rows {@code w} of an entity are looked for. */
  private static final String OF_ENTITY =
      "octet_length(w.entity_id) <= " + RequestTable.LONGEST_ENTITY;

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
   * <p>OFFSET keeps the planner from joining and sorting what is to be looked at row by row;
   * subqueries instead of joins, and {@code w.id <> r.id}, leave it one way for each look: by these
   * very keys. A session's plans may be as old as the table was empty.
   *
   * <p>Only an entity's next unit is asked whether another request waits: what lies behind it
   * cannot be overtaken. A create goes ahead.
   *
   * <p>After a death that one of an entity's requests may be to blame for, all of its requests that
   * wait are tried one by one. Those that somebody has locked are spared: to wait for them would
   * lose the claim, and with it, as it would seem, another worker.
   *
   * <p>Whoever finds that a worker has died suspects all requests of the entity that wait at that
   * moment; those that come later cannot have been in its unit.
   *
   * <p>Gives the row; or, if there are rows but no lock was had, how far it looked and at what.
   * Parameters: line, passed over, may be a suspect, machine, seed, may be a suspect, machine,
   * machine.
   *
   * @param maySuspect whether there can have been a death; to provide for it costs each claim a
   *     third
   */
  String claim(boolean maySuspect) {
    String others =
        """
        ,
        others AS (
          UPDATE %1$s SET deaths = 1 WHERE id = ANY (ARRAY(
            SELECT id FROM %1$s w
            WHERE entity_id = (SELECT entity_id FROM locked WHERE died)
              AND request_status = %3$s AND %2$s
              AND deaths = 0 AND id <> (SELECT id FROM locked)
            FOR UPDATE SKIP LOCKED)))"""
            .formatted(table, OF_ENTITY, NEW);
    return """
        WITH seen AS MATERIALIZED (
          SELECT id, entity_id, request_type FROM (
            SELECT id, entity_id, request_type,
              request_type = 'update' AND EXISTS (
                SELECT FROM (
                  SELECT id, not_before, begun_by IS NOT NULL OR deaths > 0 AS suspect
                  FROM %1$s w WHERE w.entity_id = r.entity_id AND w.request_status = %6$s
                    AND %3$s ORDER BY id LIMIT %5$d) w
                WHERE w.not_before > clock_timestamp() OR w.suspect AND (w.id < r.id
                  OR NOT (r.begun_by IS NOT NULL OR r.deaths > 0))) AS another_waits,
              request_type = 'update' AND EXISTS (
                SELECT FROM %1$s w WHERE w.entity_id = r.entity_id AND w.request_type = 'create'
                  AND %3$s AND w.request_status IN ('new', 'in-progress')
                  AND w.id <> r.id) AS create_is_open
            FROM %1$s r
            WHERE request_status = 'new' AND id > ? AND entity_id <> ALL (?) AND %2$s
            ORDER BY id OFFSET 0) r
          WHERE NOT another_waits AND NOT create_is_open LIMIT %4$d),
        mine AS MATERIALIZED (
          SELECT * FROM seen WHERE pg_try_advisory_lock(hashtextextended(entity_id, ?)) LIMIT 1),
        locked AS MATERIALIZED (
          SELECT id, entity_id, begun_by IS NOT NULL AS died FROM %1$s r
          WHERE id = (SELECT id FROM mine) AND request_status = 'new' AND %2$s
          FOR UPDATE SKIP LOCKED),
        begun AS (
          UPDATE %1$s SET attempts = attempts + 1,
            deaths = deaths + CASE WHEN begun_by IS NULL THEN 0 ELSE 1 END,
            begun_by = ?, begun_at = clock_timestamp()
          WHERE id = (SELECT id FROM locked)
          RETURNING attempts, deaths, begun_at::text,
            set_config('synchronous_commit', 'off', true))%7$s
        SELECT id, entity_id, request_type, attempts, deaths, begun_at, NULL::text[]
        FROM mine LEFT JOIN begun ON true
        UNION ALL
        SELECT max(id), NULL, NULL, NULL, NULL, NULL, array_agg(DISTINCT entity_id)
        FROM seen WHERE NOT EXISTS (SELECT FROM mine) HAVING count(*) > 0"""
        .formatted(table, DUE, OF_ENTITY, MOST_SEEN, MOST_REQUESTS, NEW, maySuspect ? others : "");
  }

  /** Lets an entity go that turned out not to be had. Parameters: entity, seed. */
  String unlock() {
    return UNLOCK;
  }

  /**
   * Begins the transaction and locks the outstanding updates of an entity, and its create. In the
   * order of ids, as everybody does. Row by row, so that no payload beyond the unit's bound is
   * unpacked to see how long it is. Parameters: entity (three times).
   */
  String lockUpdates() {
    return begin()
        + """
        SELECT id, request_type, request_status, payload, attempts, pg_current_xact_id()
        FROM %1$s WHERE id = ANY (ARRAY(
          WITH RECURSIVE unit AS (
            SELECT id, 1 AS place, size AS bytes FROM (%3$s) first
            UNION ALL
            SELECT next.id, place + 1, bytes + size FROM unit CROSS JOIN LATERAL (%4$s) next
            WHERE place < %5$d AND bytes + size <= %6$d)
          SELECT id FROM unit
          UNION ALL
          SELECT id FROM %1$s WHERE entity_id = ? AND request_type = 'create' AND %2$s))
        ORDER BY id FOR UPDATE NOWAIT"""
            .formatted(
                table,
                entityIsIndexed(),
                nextUpdate("0"),
                nextUpdate("unit.id"),
                MOST_REQUESTS,
                MOST_BYTES);
  }

  private String nextUpdate(String behind) {
    return """
        SELECT id, coalesce(octet_length(payload::text), 0)::bigint AS size FROM %s
        WHERE entity_id = ? AND request_status = %s AND request_type = 'update' AND %s
          AND id > %s ORDER BY id LIMIT 1"""
        .formatted(table, NEW, entityIsIndexed(), behind);
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
    return settle("'complete', error_text = NULL", from);
  }

  /** Settles requests as errors. Parameters: texts, ids, process, the begun id, ids. */
  String fail() {
    return settle("'error', error_text = (?::text[])[array_position(?::bigint[], id)]", "'new'");
  }

  /** Of the unit only the request that was begun has this attempt counted already. */
  private String settle(String status, String from) {
    return "UPDATE "
        + table
        + " SET request_status = "
        + status
        + ", process_id = ?, settled_at = clock_timestamp(), fence = pg_current_xact_id(),"
        + " begun_by = NULL, not_before = NULL, attempts = attempts"
        + " + CASE WHEN id = ? OR request_status <> 'new' THEN 0 ELSE 1 END"
        + " WHERE id = ANY (?::bigint[]) AND request_status IN ("
        + from
        + "); ";
  }

  /** Commits, and lets the entity go. Parameters: entity, seed. */
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
        RETURNING request_status;"""
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
