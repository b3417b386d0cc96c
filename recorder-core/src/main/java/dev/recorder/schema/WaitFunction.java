package dev.recorder.schema;

import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * {@code wait_recorded(name, xid, timeout)}, by which a producer waits until its committed
 * transaction is in S3.
 *
 * <p>A committed transaction is recorded if the position of the log sees it, or if the open window
 * does and has come to a later transaction: windows are taken in the order of transactions. Of the
 * one that the open window stands in it cannot be told here, and a later slot says.
 *
 * <p>It runs with the caller's rights, of which it needs few columns, so that it opens nothing to
 * whoever might come to own it, or the tables that it reads.
 */
record WaitFunction(SchemaNames names) {
  static final String NAME = "wait_recorded";

  /** What {@link #FUNCTION} takes. */
  private static final String ARGUMENTS = "(text, xid8, interval)";

  private static final String FUNCTION =
      """
      CREATE OR REPLACE FUNCTION {wait_recorded}(
        name text, xid xid8, timeout interval DEFAULT '1 minute')
      RETURNS boolean LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
      #variable_conflict use_column
      DECLARE
        fate text;
        log record;
        give_up timestamptz;
      BEGIN
        {check_call}
        {check_transaction}
        give_up := clock_timestamp() + wait_recorded.timeout;
        LOOP
          {look}
          EXIT WHEN clock_timestamp() >= give_up;
          PERFORM pg_sleep(
            least(0.02, extract(epoch FROM give_up - clock_timestamp())::float8));
        END LOOP;
        {say_why}
        RETURN false;
      END $$
      """;

  /** Under a snapshot for the whole transaction it would never see a slot being settled. */
  private static final String CHECK_CALL =
      """
      IF wait_recorded.name IS NULL OR wait_recorded.xid IS NULL OR wait_recorded.timeout IS NULL
        THEN RAISE null_value_not_allowed USING
          MESSAGE = 'recorder, transaction and timeout: none of them may be null';
        ELSIF wait_recorded.timeout NOT BETWEEN '0' AND '10 minutes' THEN
          RAISE invalid_parameter_value USING
            MESSAGE = format('a timeout of %s: more than 10 minutes, or less than none',
              wait_recorded.timeout),
            HINT = 'A waiting statement keeps old row versions in the tables. Wait again instead.';
        ELSIF pg_is_in_recovery() THEN
          RAISE object_not_in_prerequisite_state USING
            MESSAGE = 'this is a standby server, which cannot tell what is recorded',
            HINT = 'Ask the primary.';
        ELSIF current_setting('transaction_isolation') NOT LIKE 'read %' THEN
          RAISE invalid_transaction_state USING
            MESSAGE = format('a transaction that is %s would not see what is recorded meanwhile',
              current_setting('transaction_isolation')),
            HINT = 'Wait in a READ COMMITTED transaction, best in one of its own.';
        END IF;
      """;

  private static final String CHECK_TRANSACTION =
      """
      BEGIN
          fate := pg_xact_status(wait_recorded.xid);
        EXCEPTION WHEN invalid_parameter_value THEN
          RAISE SQLSTATE 'RW005' USING
            MESSAGE = format('this database has not given out transaction number %s',
              wait_recorded.xid),
            HINT = 'It is of another server, or of commits that this one has lost.';
        END;
        IF wait_recorded.xid < '3' THEN
          RAISE invalid_parameter_value USING
            MESSAGE = format('%s is not the number of a transaction', wait_recorded.xid);
        ELSIF fate = 'in progress' THEN
          RAISE SQLSTATE 'RW001' USING
            MESSAGE = format(CASE WHEN wait_recorded.xid = pg_current_xact_id_if_assigned()
              THEN 'transaction %s is the one that asks, and cannot be recorded before it ends'
              ELSE 'transaction %s is open, or prepared' END, wait_recorded.xid),
            HINT = 'Commit it first; then wait.';
        ELSIF fate = 'aborted' THEN
          RAISE SQLSTATE 'RW002' USING
            MESSAGE = format('transaction %s was rolled back, and is never recorded',
              wait_recorded.xid);
        END IF;
      """;

  private static final String LOOK =
      """
      SELECT r.kind, pg_visible_in_snapshot(wait_recorded.xid, r.done_snapshot)
              OR coalesce(pg_visible_in_snapshot(wait_recorded.xid, r.open_snapshot)
                AND wait_recorded.xid < r.open_xid, false) AS recorded
          INTO log FROM {lock_recorders} r WHERE r.recorder = wait_recorded.name;
          IF NOT FOUND THEN
            RAISE undefined_object USING
              MESSAGE = format('there is no recorder %s', wait_recorded.name),
              HINT = 'It is there once a machine that has it has run.';
          ELSIF log.kind <> 'log' THEN
            RAISE wrong_object_type USING
              MESSAGE = format('recorder %s keeps no log', wait_recorded.name),
              HINT = 'What became of a request is in its row.';
          ELSIF log.recorded THEN
            {check_numbers}
            RETURN true;
          END IF;
      """;

  /** The two signs of {@code ForeignNumbers}: by such a position anything could be recorded. */
  private static final String CHECK_NUMBERS =
      """
      PERFORM FROM {lock_recorders} r
            CROSS JOIN pg_snapshot_xmax(pg_current_snapshot()) AS next
            LEFT JOIN LATERAL (
              SELECT pg_snapshot_xmax(s.window_to)::text::bigint AS reaches,
                s.xmin::text::bigint AS written
              FROM {slots} s
              WHERE s.lock_id = r.lock_id AND s.slot > r.rebased_slot
                AND s.epoch > r.rebased_epoch AND s.window_to IS NOT NULL
              ORDER BY s.lock_id DESC, s.slot DESC LIMIT 1) s ON true
            WHERE r.recorder = wait_recorded.name
              AND (pg_snapshot_xmax(coalesce(r.open_snapshot, r.done_snapshot)) > next
                OR (next::text::bigint - 1 - written) & 4294967295
                  > next::text::bigint - 1 - reaches);
            IF FOUND THEN
              RAISE SQLSTATE 'RW005' USING
                MESSAGE = format('the log of recorder %s stands in the transaction numbers of'
                  ' another server', wait_recorded.name),
                HINT = 'It was dumped and restored, and goes on after recorder rebase.';
            END IF;
      """;

  /** A takeover takes some seconds, and is no reason to despair. */
  private static final String SAY_WHY =
      """
      SELECT r.holder, r.paused_until, r.pause_reason,
          greatest(i.update_time, r.begun_at, r.released_at) AS seen
        INTO log FROM {lock_recorders} r LEFT JOIN {info_recorders} i ON i.name = r.holder
        WHERE r.recorder = wait_recorded.name;
        IF log.paused_until > clock_timestamp() THEN
          RAISE SQLSTATE 'RW004' USING
            MESSAGE = format('recorder %s is paused until %s: %s', wait_recorded.name,
              log.paused_until, coalesce(log.pause_reason, 'nobody said why'));
        ELSIF coalesce(log.seen < clock_timestamp() - interval '10 seconds', true) THEN
          RAISE SQLSTATE 'RW003' USING
            MESSAGE = format('nobody runs recorder %s: %s, %s', wait_recorded.name,
              coalesce(log.holder || ' holds it', 'no machine holds it'),
              coalesce('and the last sign of life was at ' || log.seen::text, 'and none ever did')),
            HINT = 'Start a machine that has it; recorder status shows those that are there.';
        END IF;
      """;

  /** DDL, which may be run again. */
  List<String> create() {
    return List.of(
        Sql.in(
                names,
                FUNCTION,
                Map.of(
                    "check_call", CHECK_CALL,
                    "check_transaction", CHECK_TRANSACTION,
                    "look", LOOK,
                    "check_numbers", CHECK_NUMBERS,
                    "say_why", SAY_WHY))
            .text());
  }

  /** What producers need to call it: no row of theirs, nor of anybody else. */
  List<String> grantToProducers() {
    Map<String, String> pieces =
        Map.of("control", names.control(), "arguments", ARGUMENTS, "producers", Schema.PRODUCERS);
    return Stream.of(
            "GRANT USAGE ON SCHEMA {control} TO {producers}",
            """
            GRANT SELECT (lock_id, recorder, kind, holder, begun_at, released_at, last_slot, \
            done_snapshot, open_snapshot, open_xid, open_id, rebased_slot, rebased_epoch, \
            paused_until, pause_reason) ON {lock_recorders} TO {producers}\
            """,
            "GRANT SELECT (name, update_time) ON {info_recorders} TO {producers}",
            "GRANT SELECT (lock_id, slot, epoch, window_to, xmin) ON {slots} TO {producers}",
            "GRANT EXECUTE ON FUNCTION {wait_recorded}{arguments} TO {producers}")
        .map(grant -> Sql.in(names, grant, pieces).text())
        .toList();
  }
}
