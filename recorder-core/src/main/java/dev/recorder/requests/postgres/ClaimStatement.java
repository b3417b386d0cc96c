package dev.recorder.requests.postgres;

import dev.recorder.requests.Claim;
import dev.recorder.requests.RequestType;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Set;
import java.util.UUID;

/**
 * The searched update that claims a row.
 *
 * <p>Rows are looked at one by one, in the order of ids, until an entity's advisory lock is had;
 * only then is the row itself locked and looked at as it is now. The other way round workers would
 * lock, and so write, rows that others have claimed already, and wait for each other in spite of
 * SKIP LOCKED, which does not hold for rows that were updated since the snapshot.
 *
 * <p>LIMIT keeps the planner from joining and sorting what is to be looked at row by row;
 * subqueries instead of joins, and {@code w.id <> r.id}, leave it one way for each look: by these
 * very keys. A session's plans may be as old as the table was empty. {@code octet_length} stands
 * wherever an entity's rows are looked for, since the index leaves out ids that no index could
 * hold.
 *
 * <p>Only an entity's next unit is asked whether another request waits: what lies behind it cannot
 * be overtaken. A create goes ahead.
 *
 * <p>After a death that one of an entity's requests may be to blame for, all of its requests that
 * waited then are suspects, and tried one by one; those that came a second after the attempt was
 * begun, or later, were not in its unit. Those that somebody has locked are spared: to wait for
 * them would lose the claim, and with it, as it would seem, another worker.
 *
 * @param text gives the row; or, if there are rows but no lock was had, how far it looked and at
 *     what
 * @param suspects whether it takes suspects: to provide for them costs each claim a third
 */
record ClaimStatement(String text, boolean suspects) {
  /** A claim tries for at most so many rows. */
  private static final int MOST_SEEN = 64;

  /** And reads at most so many: any number of rows may have to wait. */
  static final int MOST_LOOKED_AT = 5_000;

  private static final String IN_TIME =
      "(r.not_before IS NULL OR r.not_before <= clock_timestamp())";

  static final String NO_SUSPECT = IN_TIME + " AND r.begun_by IS NULL AND r.deaths = 0";

  /** For the first 10 s a suspect is only for the machine that died. Parameter: machine. */
  private static final String ANY =
      IN_TIME
          + " AND (r.begun_by IS NULL OR r.begun_by = ?"
          + " OR r.begun_at < clock_timestamp() - interval '10 s')";

  /**
   * One that is a transaction by itself. It commits without waiting for the disk: a crash of the
   * server has no worker to suspect.
   */
  static ClaimStatement alone(String table, boolean suspects) {
    return new ClaimStatement(
        text(table, suspects, ", set_config('synchronous_commit', 'off', true)"), suspects);
  }

  /** One that is part of a transaction with something worth waiting for. */
  static ClaimStatement joined(String table) {
    return new ClaimStatement(text(table, false, ""), false);
  }

  private static String text(String table, boolean suspects, String returning) {
    String died =
        suspects
            ? """
              ,
              fellows AS (
                UPDATE %1$s SET deaths = 1 WHERE id = ANY (ARRAY(
                  SELECT id FROM %1$s WHERE id = ANY (ARRAY(
                    SELECT id FROM %1$s w
                    WHERE entity_id = (SELECT entity_id FROM locked WHERE died)
                      AND request_status = %3$s AND %2$s ORDER BY id LIMIT %4$d))
                    AND request_status = 'new' AND deaths = 0
                    AND id <> (SELECT id FROM locked)
                    AND created_at < (SELECT begun_at + interval '1 s' FROM locked)
                  FOR UPDATE SKIP LOCKED)))"""
                .formatted(
                    table,
                    RequestStatements.OF_ENTITY,
                    RequestStatements.NEW,
                    RequestStatements.MOST_REQUESTS)
            : "";
    return """
        WITH looked AS MATERIALIZED (
          SELECT id, entity_id, request_type, %2$s AND NOT (request_type = 'update' AND (
            EXISTS (
              SELECT FROM (
                SELECT id, not_before, begun_by IS NOT NULL OR deaths > 0 AS suspect
                FROM %1$s w WHERE w.entity_id = r.entity_id AND w.request_status = %6$s
                  AND %3$s ORDER BY id LIMIT %5$d) w
              WHERE w.not_before > clock_timestamp() OR w.suspect AND (w.id < r.id
                OR NOT (r.begun_by IS NOT NULL OR r.deaths > 0)))
            OR EXISTS (
              SELECT FROM %1$s w WHERE w.entity_id = r.entity_id AND w.request_type = 'create'
                AND %3$s AND w.request_status IN ('new', 'in-progress')
                AND w.id <> r.id))) AS is_ready
          FROM %1$s r WHERE request_status = 'new' AND id > ? AND entity_id <> ALL (?)
          ORDER BY id LIMIT %9$d),
        seen AS MATERIALIZED (
          SELECT id, entity_id, request_type FROM looked WHERE is_ready LIMIT %4$d),
        mine AS MATERIALIZED (
          SELECT * FROM seen WHERE pg_try_advisory_lock(hashtextextended(entity_id, ?)) LIMIT 1),
        locked AS MATERIALIZED (
          SELECT id, entity_id, begun_by IS NOT NULL AS died, begun_at FROM %1$s r
          WHERE id = (SELECT id FROM mine) AND request_status = 'new' AND %2$s
          FOR UPDATE SKIP LOCKED),
        begun AS (
          UPDATE %1$s SET attempts = attempts + 1, process_id = ?,
            deaths = deaths + CASE WHEN begun_by IS NULL THEN 0 ELSE 1 END,
            begun_by = ?, begun_at = clock_timestamp()
          WHERE id = (SELECT id FROM locked)
          RETURNING attempts, deaths%7$s)%8$s
        SELECT id, entity_id, request_type, attempts, deaths, NULL::text[]
        FROM mine LEFT JOIN begun ON true
        UNION ALL
        SELECT max(id), NULL, NULL, NULL, NULL, array_agg(DISTINCT entity_id)
        FROM seen WHERE NOT EXISTS (SELECT FROM mine) HAVING count(*) > 0
        UNION ALL
        SELECT max(id), NULL, NULL, NULL, NULL, '{}' FROM looked
        WHERE NOT EXISTS (SELECT FROM seen) HAVING count(*) = %9$d"""
        .formatted(
            table,
            suspects ? ANY : NO_SUSPECT,
            RequestStatements.OF_ENTITY,
            MOST_SEEN,
            RequestStatements.MOST_REQUESTS,
            RequestStatements.NEW,
            returning,
            died,
            MOST_LOOKED_AT);
  }

  /** Sets the parameters behind {@code p}; returns the last one's number. */
  int bind(
      PreparedStatement statement,
      int p,
      UUID process,
      long line,
      Collection<String> passedOver,
      String machine,
      long seed)
      throws SQLException {
    int last = p;
    if (suspects) {
      statement.setString(++last, machine);
    }
    statement.setLong(++last, line);
    statement.setArray(
        ++last, statement.getConnection().createArrayOf("text", passedOver.toArray()));
    statement.setLong(++last, seed);
    if (suspects) {
      statement.setString(++last, machine);
    }
    statement.setString(++last, process.toString());
    statement.setString(++last, machine);
    return last;
  }

  /** What came of it. */
  record Answer(Claim claim, String lockedInVain) {}

  /**
   * Reads what it brought.
   *
   * @return with the entity that is to be let go again, as its row is no longer to be had: settled,
   *     put off or locked by others since it was looked at; or an empty string
   */
  static Answer read(ResultSet row, UUID process) throws SQLException {
    if (!row.next()) {
      return new Answer(new Claim.Nothing(), "");
    }
    long id = row.getLong(1);
    String entity = row.getString(2);
    if (entity == null) {
      return new Answer(
          new Claim.PassedOver(id, Set.of((String[]) row.getArray(6).getArray())), "");
    }
    int attempts = row.getInt(4);
    if (row.wasNull()) {
      return new Answer(new Claim.PassedOver(id, Set.of()), entity);
    }
    return new Answer(
        new Claim.Begun(
            id, entity, RequestType.of(row.getString(3)), attempts, row.getInt(5), process),
        "");
  }
}
