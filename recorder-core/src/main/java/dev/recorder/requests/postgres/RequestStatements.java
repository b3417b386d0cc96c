package dev.recorder.requests.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.requests.MemoryReservation;
import dev.recorder.schema.HandoffTable;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/**
 * The SQL of a {@link RequestSession}, assembled once. Several statements in one string take one
 * round trip. An entity is unlocked after the COMMIT that settles its unit.
 */
final class RequestStatements {
  /** Claims a row. */
  final Sql claim;

  /** Claims a row, possible poison messages included. */
  final Sql claimPoisonToo;

  final Sql lookAhead;

  /** Claims a prefetched create. */
  final Sql claimPrefetched;

  /** Begins a unit's transaction and locks one create. */
  final Sql lockCreate;

  /** Begins a unit's transaction and locks any one request, and its entity's create. */
  final Sql lockOne;

  /** Begins a unit's transaction and locks the outstanding updates of an entity, and its create. */
  final Sql lockUpdates;

  /** Reads the payloads of a locked unit. */
  final Sql payloads;

  /** Settles a whole unit as complete, commits, and unlocks. */
  final Sql completeAll;

  /** As {@link #completeAll}, with the next claim before the COMMIT. */
  final Sql completeAndClaim;

  /** As {@link #completeAll}, with the claim of a prefetched create before the COMMIT. */
  final Sql completeAndClaimPrefetched;

  /**
   * Settles requests as complete and others as errors. Takes the attempt back if the claimed
   * request is not among them. Commits and unlocks.
   */
  final Sql settle;

  /**
   * Settles requests, including errors, as complete. Takes the attempt back if the claimed request
   * is not among them. Commits and unlocks.
   */
  final Sql settleFound;

  /** Rolls back, records a failed attempt, commits, and unlocks. */
  final Sql postpone;

  /** Rolls back, disowns, commits, and unlocks. */
  final Sql takeBack;

  /**
   * Undoes an attempt. Returns whether another session has locked the row, so that the attempt must
   * be undone later; waiting would keep the worker from all other work.
   */
  final Sql disown;

  final Sql statuses;
  final Sql unlock;

  RequestStatements(SchemaNames names, RecorderName recorder) {
    Map<String, String> joined = pieces(names.handoffTable(recorder));
    // Commits without waiting for the disk: a crash of the server may undo the count of an attempt,
    // which the worker did not cause.
    Map<String, String> alone = new HashMap<>(joined);
    alone.put("not_durable", ", set_config('synchronous_commit', 'off', true)");
    Map<String, String> poisonToo = new HashMap<>(alone);
    poisonToo.putAll(ClaimStatement.POISON_TOO);
    claim = Sql.of("{claim}", alone);
    claimPoisonToo = Sql.of("{claim}", poisonToo);
    claimPrefetched = Sql.of("{claim_prefetched}", alone);
    lookAhead = Sql.of(PrefetchStatement.LOOK, joined);
    lockCreate = Sql.of("{lock} WHERE id = :id FOR UPDATE NOWAIT", joined);
    lockOne = Sql.of(LOCK_ONE, joined);
    lockUpdates = Sql.of(LOCK_UPDATES, joined);
    payloads = Sql.of("SELECT id, payload FROM {table} WHERE id = ANY (:ids::bigint[])", joined);
    completeAll = Sql.of("{complete}; {let_go}", joined);
    completeAndClaim = Sql.of("{complete}; {claim}; {let_go}", joined);
    completeAndClaimPrefetched = Sql.of("{complete}; {claim_prefetched}; {let_go}", joined);
    settle = Sql.of("{complete}; {fail}; {disown}; {let_go}", joined);
    settleFound = Sql.of("{complete_found}; {disown}; {let_go}", joined);
    postpone = Sql.of("{roll_back}; {postpone}; {let_go}", joined);
    takeBack = Sql.of("{roll_back}; {disown}; {let_go}", joined);
    disown = Sql.of("{disown}", joined);
    statuses = Sql.of(STATUSES, joined);
    unlock = Sql.of("{unlock}", joined);
  }

  /** Runs one or several statements; returns the rows of the first result. */
  static ResultSet rows(SqlStatement statement) throws SQLException {
    PreparedStatement several = statement.complete();
    boolean hasRows = several.execute();
    while (!hasRows) {
      hasRows = several.getMoreResults();
    }
    return several.getResultSet();
  }

  private static Map<String, String> pieces(String table) {
    Map<String, String> pieces = new HashMap<>(ClaimStatement.PIECES);
    pieces.put("claim_prefetched", PrefetchStatement.CLAIM);
    pieces.put("not_durable", "");
    pieces.put("table", table);
    pieces.put("digest", HandoffTable.REQUEST_DIGEST);
    pieces.put("new", NEW);
    pieces.put("of_entity", "octet_length(w.entity_id) <= " + HandoffTable.LONGEST_ENTITY);
    pieces.put("most_requests", MOST_REQUESTS);
    pieces.put("most_bytes", MOST_BYTES);
    pieces.put("small", Long.toString(MemoryReservation.SMALL));
    pieces.put("lock", LOCK);
    pieces.put("or_create", OR_CREATE);
    pieces.put("updates_behind", UPDATES_BEHIND);
    pieces.put("complete", COMPLETE);
    pieces.put("complete_found", COMPLETE_FOUND);
    pieces.put("fail", FAIL);
    pieces.put("settled", SETTLED);
    pieces.put("disown", DISOWN);
    pieces.put("touched", TOUCHED);
    pieces.put("postpone", POSTPONE);
    pieces.put("made", "attempts + CASE WHEN id = begun THEN 0 ELSE 1 END");
    // A new transaction follows, whatever the state of this one.
    pieces.put("roll_back", "ROLLBACK; BEGIN");
    pieces.put("let_go", "COMMIT; {unlock}");
    pieces.put("unlock", "SELECT pg_advisory_unlock(hashtextextended(:entity, :seed))");
    return pieces;
  }

  /**
   * Used wherever an entity's rows are looked up. Hides the constant from the planner. Otherwise it
   * would choose the index of all new rows while that index is small, and keep this plan.
   */
  private static final String NEW = "(SELECT 'new')";

  /**
   * The most requests of a unit. There is also a limit for their payload bytes, from which the
   * first request is exempt.
   */
  private static final String MOST_REQUESTS = "1000";

  private static final String MOST_BYTES = "1048576";

  /**
   * Takes the table lock that the settlement needs, so that no other session can block the
   * settlement. For a large payload only the size is returned; the payload is read when there is
   * memory for it.
   */
  private static final String LOCK =
      """
      BEGIN;
      LOCK TABLE {table} IN ROW EXCLUSIVE MODE;
      SELECT id, request_type, request_status, attempts, pg_current_xact_id() AS fence,
        coalesce(octet_length(payload::text), 0) AS bytes,
        CASE WHEN octet_length(payload::text) <= {small} THEN payload END AS payload,
        {digest} AS digest
      FROM {table}
      """;

  private static final String OR_CREATE =
      """
      UNION ALL
      SELECT id FROM {table} w
      WHERE entity_id = :entity AND request_type = 'create' AND {of_entity}
      """;

  private static final String LOCK_ONE =
      """
      {lock} WHERE id = ANY (ARRAY(
        SELECT :id::bigint
        {or_create}))
      ORDER BY id FOR UPDATE NOWAIT
      """;

  /**
   * Locks rows in the order of ids, like all sessions. Payloads beyond the unit's limit are not
   * unpacked to measure them. The size of uncompressed payloads is known, so those at the beginning
   * are read together. A unit that begins with a compressed payload is assembled row by row.
   */
  private static final String LOCK_UPDATES =
      """
      {lock} WHERE id = ANY (ARRAY(
        WITH RECURSIVE plain AS MATERIALIZED (
          SELECT id FROM (
            SELECT id, row_number() OVER w AS place, sum(size) OVER w AS bytes,
              bool_or(is_compressed) OVER w AS some_compressed
            FROM (
              SELECT id, coalesce(pg_column_size(payload), 0) AS size,
                pg_column_compression(payload) IS NOT NULL AS is_compressed
              FROM {table} w
              WHERE entity_id = :entity AND request_status = {new} AND request_type = 'update'
                AND {of_entity}
              ORDER BY id LIMIT {most_requests}) first
            WINDOW w AS (ORDER BY id)) first
          WHERE NOT some_compressed AND (place = 1 OR bytes <= {most_bytes})),
        unit AS (
          SELECT id, 1 AS place, size AS bytes
          FROM ({updates_behind} 0 ORDER BY id LIMIT 1) first
          WHERE NOT EXISTS (SELECT FROM plain)
          UNION ALL
          SELECT next.id, place + 1, bytes + size
          FROM unit CROSS JOIN LATERAL ({updates_behind} unit.id ORDER BY id LIMIT 1) next
          WHERE place < {most_requests} AND bytes + size <= {most_bytes})
        SELECT id FROM plain UNION ALL SELECT id FROM unit
        {or_create}))
      ORDER BY id FOR UPDATE NOWAIT
      """;

  private static final String UPDATES_BEHIND =
      """
      SELECT id, coalesce(octet_length(payload::text), 0)::bigint AS size FROM {table} w
      WHERE entity_id = :entity AND request_status = {new} AND request_type = 'update'
        AND {of_entity} AND id >
      """;

  /** If all requests are complete, as usual, no payload is read. */
  private static final String STATUSES =
      """
      SELECT id, request_status,
        CASE WHEN bool_or(request_status <> 'complete') OVER () THEN {digest} ELSE 0 END
      FROM {table} WHERE id = ANY (:ids::bigint[]) AND entity_id = :entity
      """;

  /**
   * Part of each UPDATE of rows that may not have been claimed; {@code handoff.sql} gives the
   * reason.
   */
  static final String TOUCHED = "begun_at = coalesce(begun_at, clock_timestamp())";

  private static final String COMPLETE =
      """
      UPDATE {table} SET request_status = 'complete', error_text = NULL, {settled}
      WHERE id = ANY (:complete::bigint[]) AND request_status IN ('new')
      """;

  private static final String COMPLETE_FOUND =
      """
      UPDATE {table} SET request_status = 'complete', error_text = NULL, {settled}
      WHERE id = ANY (:complete::bigint[]) AND entity_id = :entity
        AND request_status IN ('new', 'error')
      """;

  private static final String FAIL =
      """
      UPDATE {table} SET request_status = 'error',
        error_text = (:texts::text[])[array_position(:failed::bigint[], id)], {settled}
      WHERE id = ANY (:failed::bigint[]) AND request_status IN ('new')
      """;

  /**
   * The values of a settled row. Only the claimed request of the unit has this attempt counted
   * already.
   */
  private static final String SETTLED =
      """
      process_id = :process, settled_at = clock_timestamp(), fence = pg_current_xact_id(),
        begun_by = NULL, not_before = NULL, {touched},
        attempts = attempts + CASE WHEN id = :begun OR request_status <> 'new' THEN 0 ELSE 1 END
      """;

  private static final String DISOWN =
      """
      WITH attempt AS (
        SELECT :line::bigint AS line, :looks::int AS looks, :machine::text AS machine,
          :process::uuid AS process),
      there AS MATERIALIZED (
        SELECT id FROM (
          SELECT id, begun_by, process_id FROM {table}
          WHERE request_status = 'new' AND id > (SELECT line FROM attempt)
          ORDER BY id LIMIT (SELECT looks FROM attempt)) w
        WHERE begun_by = (SELECT machine FROM attempt)
          AND process_id = (SELECT process FROM attempt)),
      had AS MATERIALIZED (
        SELECT id FROM {table} WHERE id = (SELECT id FROM there) AND request_status = 'new'
          AND process_id = (SELECT process FROM attempt)
        FOR UPDATE SKIP LOCKED),
      disowned AS (
        UPDATE {table} SET attempts = attempts - 1, begun_by = NULL, process_id = NULL
        WHERE id = (SELECT id FROM had) RETURNING id)
      SELECT EXISTS (SELECT FROM there) AND NOT EXISTS (SELECT FROM disowned)
      """;

  private static final String POSTPONE =
      """
      UPDATE {table} SET
        request_status = CASE WHEN {made} >= most THEN 'error' ELSE 'new' END,
        settled_at = CASE WHEN {made} >= most THEN clock_timestamp() END,
        process_id = CASE WHEN {made} >= most THEN process END,
        not_before = CASE WHEN {made} >= most THEN NULL ELSE clock_timestamp() + pause END,
        attempts = {made}, error_text = why, begun_by = NULL, {touched}
      FROM (
        SELECT :begun::bigint AS begun, :most::int AS most, :process::uuid AS process,
          :why::text AS why, :pause * interval '1 millisecond' AS pause) now
      WHERE id = ANY (:ids::bigint[]) AND request_status = 'new'
      RETURNING request_status
      """;
}
