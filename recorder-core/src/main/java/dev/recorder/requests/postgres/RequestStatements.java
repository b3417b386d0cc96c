package dev.recorder.requests.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.SchemaNames;
import dev.recorder.requests.Room;
import dev.recorder.schema.RequestTable;

/**
 * The SQL of a {@link RequestSession}, put together once. Several statements in one string travel
 * in one round trip; an entity is let go behind the COMMIT of what it protects.
 */
final class RequestStatements {
  /** A unit has at most so many requests, and, but for its first, so many bytes of payload. */
  static final int MOST_REQUESTS = 1_000;

  private static final int MOST_BYTES = 1 << 20;

  /**
   * Where an entity's rows are looked for. The planner does not see through it, and so keeps off
   * the index of all new rows, which it would take while that is small, and go on taking.
   */
  static final String NEW = "(SELECT 'new')";

  /** Stands where rows {@code w} of an entity are looked for: the index has no others. */
  static final String OF_ENTITY = "octet_length(w.entity_id) <= " + RequestTable.LONGEST_ENTITY;

  /** A large payload is told by its size alone, and read when there is room for it. */
  private static final String COLUMNS =
      """
      SELECT id, request_type, request_status, attempts, pg_current_xact_id(),
        coalesce(octet_length(payload::text), 0),
        CASE WHEN octet_length(payload::text) <= %d THEN payload END
      FROM\s"""
          .formatted(Room.SMALL);

  /** What follows is a transaction of its own, whatever state this one is in. */
  private static final String ROLL_BACK = "ROLLBACK; BEGIN; ";

  /** Lets an entity go. Parameters: entity, seed. */
  static final String UNLOCK = "SELECT pg_advisory_unlock(hashtextextended(?, ?))";

  /** A claim by itself. */
  final ClaimStatement claim;

  /** A claim by itself, for suspects as well. */
  final ClaimStatement claimSuspects;

  /** The claim within {@link #completeAndClaim}. */
  final ClaimStatement nextClaim;

  /** A look ahead, and the claim within {@link #completeAndClaimPrefetched}. */
  final PrefetchStatement prefetch;

  /**
   * Begins a unit's transaction and locks one create. Parameter: id.
   *
   * <p>As all of these, with the lock on the table that the settlement will need: nobody can take
   * it meanwhile.
   */
  final String lockCreate;

  /** The same for any one request, and its entity's create. Parameters: id, entity. */
  final String lockOne;

  /**
   * The same for the outstanding updates of an entity, and its create, in the order of ids, as
   * everybody does. No payload beyond the unit's bound is unpacked to see how long it is.
   * Parameters: entity (four times).
   */
  final String lockUpdates;

  /** The payloads of a unit that is locked. Parameter: ids. */
  final String payloads;

  /** Settles a whole unit as complete, commits, lets go. Parameters: process, begun id, ids. */
  final String completeAll;

  /**
   * The same, with the next claim before the COMMIT. Parameters: process, begun id, ids, those of
   * the claim, entity, seed.
   */
  final String completeAndClaim;

  /** The same with the claim of a prefetched create. */
  final String completeAndClaimPrefetched;

  /**
   * Settles requests as complete and others as errors, takes the attempt back if the begun one is
   * not among them, commits, lets go. Parameters: process, begun id, complete ids, texts, failed
   * ids, process, begun id, failed ids, those of {@link #disown}, entity, seed.
   */
  final String settle;

  /**
   * Settles as complete what may be in status error, takes the attempt back if the begun one is not
   * among it, commits, lets go. Parameters: process, begun id, ids, those of {@link #disown},
   * entity, seed.
   */
  final String settleFound;

  /**
   * Rolls back, notes a failed attempt, commits, lets go. Parameters: begun id, greatest number of
   * attempts, process, message, pause in milliseconds, ids, entity, seed.
   */
  final String postpone;

  /** Rolls back, disowns, commits, lets go. Parameters: those of {@link #disown}, entity, seed. */
  final String takeBack;

  /**
   * As if it had not been begun. Gives whether that is still to be done, because somebody else has
   * the row locked; to wait would keep the worker from everything else. Parameters: an id below,
   * how many rows from there on to look at, machine, process.
   */
  final String disown;

  /** Parameter: ids. */
  final String statuses;

  RequestStatements(SchemaNames names, RecorderName recorder) {
    String table = names.handoffTable(recorder);
    claim = ClaimStatement.alone(table, false);
    claimSuspects = ClaimStatement.alone(table, true);
    nextClaim = ClaimStatement.joined(table);
    prefetch = PrefetchStatement.of(table);

    String begin = "BEGIN; LOCK TABLE " + table + " IN ROW EXCLUSIVE MODE; ";
    String select = begin + COLUMNS + table;
    lockCreate = select + " WHERE id = ? FOR UPDATE NOWAIT";
    lockOne = select + inOrder("SELECT ?::bigint", table);
    payloads = "SELECT id, payload FROM " + table + " WHERE id = ANY (?::bigint[])";
    lockUpdates = select + inOrder(updates(table), table);

    String letGo = "COMMIT; " + UNLOCK;
    String complete = settle(table, "'complete', error_text = NULL", "'new'");
    String fail =
        settle(
            table, "'error', error_text = (?::text[])[array_position(?::bigint[], id)]", "'new'");
    disown = disown(table);
    completeAll = complete + letGo;
    completeAndClaim = complete + nextClaim.text() + "; " + letGo;
    completeAndClaimPrefetched = complete + prefetch.claim() + "; " + letGo;
    settle = complete + fail + disown + letGo;
    settleFound = settle(table, "'complete', error_text = NULL", "'new', 'error'") + disown + letGo;
    postpone = ROLL_BACK + postpone(table) + letGo;
    takeBack = ROLL_BACK + disown + letGo;
    statuses = "SELECT id, request_status FROM " + table + " WHERE id = ANY (?::bigint[])";
  }

  private static String inOrder(String ids, String table) {
    return """
         WHERE id = ANY (ARRAY(
          %s
          UNION ALL
          SELECT id FROM %s w WHERE entity_id = ? AND request_type = 'create' AND %s))
        ORDER BY id FOR UPDATE NOWAIT"""
        .formatted(ids, table, OF_ENTITY);
  }

  /**
   * The size of a payload that is not compressed is known without unpacking it, so that those come
   * first, in one go; a unit that begins with one that is compressed is put together row by row.
   */
  private static String updates(String table) {
    return """
        WITH RECURSIVE plain AS MATERIALIZED (
          SELECT id FROM (
            SELECT id, row_number() OVER w AS place, sum(size) OVER w AS bytes,
              bool_or(is_compressed) OVER w AS some_compressed
            FROM (
              SELECT id, coalesce(pg_column_size(payload), 0) AS size,
                pg_column_compression(payload) IS NOT NULL AS is_compressed
              FROM %1$s w
              WHERE entity_id = ? AND request_status = %2$s AND request_type = 'update' AND %3$s
              ORDER BY id LIMIT %4$d) first
            WINDOW w AS (ORDER BY id)) first
          WHERE NOT some_compressed AND (place = 1 OR bytes <= %5$d)),
        unit AS (
          SELECT id, 1 AS place, size AS bytes FROM (%6$s) first
          WHERE NOT EXISTS (SELECT FROM plain)
          UNION ALL
          SELECT next.id, place + 1, bytes + size FROM unit CROSS JOIN LATERAL (%7$s) next
          WHERE place < %4$d AND bytes + size <= %5$d)
        SELECT id FROM plain UNION ALL SELECT id FROM unit"""
        .formatted(
            table,
            NEW,
            OF_ENTITY,
            MOST_REQUESTS,
            MOST_BYTES,
            nextUpdate(table, "0"),
            nextUpdate(table, "unit.id"));
  }

  private static String nextUpdate(String table, String behind) {
    return """
        SELECT id, coalesce(octet_length(payload::text), 0)::bigint AS size FROM %s w
        WHERE entity_id = ? AND request_status = %s AND request_type = 'update' AND %s
          AND id > %s ORDER BY id LIMIT 1"""
        .formatted(table, NEW, OF_ENTITY, behind);
  }

  /** Of the unit only the request that was begun has this attempt counted already. */
  private static String settle(String table, String status, String from) {
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

  private static String disown(String table) {
    return """
        WITH attempt AS (SELECT ?::bigint AS line, ?::int AS looks, ?::text AS machine, ?::uuid AS process),
        there AS MATERIALIZED (
          SELECT id FROM (
            SELECT id, begun_by, process_id FROM %1$s
            WHERE request_status = 'new' AND id > (SELECT line FROM attempt)
            ORDER BY id LIMIT (SELECT looks FROM attempt)) w
          WHERE begun_by = (SELECT machine FROM attempt)
            AND process_id = (SELECT process FROM attempt)),
        had AS MATERIALIZED (
          SELECT id FROM %1$s WHERE id = (SELECT id FROM there) AND request_status = 'new'
            AND process_id = (SELECT process FROM attempt)
          FOR UPDATE SKIP LOCKED),
        disowned AS (
          UPDATE %1$s SET attempts = attempts - 1, begun_by = NULL, process_id = NULL
          WHERE id = (SELECT id FROM had) RETURNING id)
        SELECT EXISTS (SELECT FROM there) AND NOT EXISTS (SELECT FROM disowned);"""
        .formatted(table);
  }

  private static String postpone(String table) {
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
}
