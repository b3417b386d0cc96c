package dev.recorder.operate.rebase;

import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Term;
import dev.recorder.logging.Plurals;
import dev.recorder.operate.rebase.RebaseStatements.Counts;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.slotlog.LogHead;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;

/** The term of a {@link Rebase}, from its beginning to its end. */
final class RebaseTerm {
  private final int lockId;
  private final Sql beginTerm;
  private final Sql beginAnew;
  private final Sql goOn;

  RebaseTerm(SchemaNames names, int lockId) {
    this.lockId = lockId;
    this.beginTerm = Sql.in(names, BEGIN_TERM);
    this.beginAnew = Sql.in(names, END_TERM, Map.of("position_anew", FROM_THE_BEGINNING));
    this.goOn = Sql.in(names, END_TERM, Map.of("position_anew", ""));
  }

  static DatabaseException fenced(RecorderName recorder) {
    return new DatabaseException(
        DatabaseErrorKind.BUSY,
        "another session changed the row of recorder " + recorder + " meanwhile");
  }

  /** Forgets a requested hand-over, which came from hosts of the other server. */
  private static final String BEGIN_TERM =
      """
      WITH before AS (
        SELECT lock_id, coalesce(holder, last_holder) AS holder
        FROM {lock_recorders} WHERE lock_id = :lock),
      term AS (
        UPDATE {lock_recorders} r
        SET holder = :holder, last_holder = :holder, epoch = epoch + 1, primary_up = false,
          (holder_pid, holder_backend_start) =
            (SELECT pid, backend_start FROM pg_stat_get_activity(pg_backend_pid())),
          begun_at = clock_timestamp(), faults = 0, switch_to = NULL, switch_why = NULL,
          update_time = clock_timestamp()
        FROM before WHERE r.lock_id = before.lock_id
        RETURNING r.lock_id, r.recorder, r.epoch, r.log_uuid, r.last_slot, r.first_slot,
          before.holder AS predecessor),
      receipt AS (
        INSERT INTO {takeovers} (lock_id, recorder, reason, from_machine, to_machine, from_epoch,
          to_epoch, silence_ms, last_slot, first_slot, detail)
        SELECT lock_id, recorder, 'rebase', predecessor, :holder, epoch - 1, epoch, 0,
          last_slot, first_slot, :why::text
        FROM term)
      SELECT epoch, log_uuid FROM term
      """;

  /** Begins a term, so that the former holder can settle nothing more. */
  Term begin(Connection connection, String holder, String why) throws SQLException {
    try (SqlStatement statement = beginTerm.on(connection);
        ResultSet term =
            statement.set("lock", lockId).set("holder", holder).set("why", why).query()) {
      term.next();
      return new Term(lockId, term.getLong(1), holder, term.getObject(2, UUID.class));
    }
  }

  private static final String FROM_THE_BEGINNING =
      """
      done_snapshot = '3:3:', open_snapshot = NULL, open_xid = NULL, open_id = NULL,
          rebased_slot = last_slot, rebased_epoch = epoch,
      """;

  /**
   * Updates the latest receipt of this epoch; receipts of an earlier recorder with this lockid
   * stay.
   */
  private static final String END_TERM =
      """
      WITH anew AS (
        UPDATE {lock_recorders}
        SET {position_anew} holder = NULL, holder_pid = NULL,
          holder_backend_start = NULL, released_at = clock_timestamp(),
          update_time = clock_timestamp()
        WHERE lock_id = :lock AND epoch = :epoch AND holder = :holder AND last_slot = :lastSlot
        RETURNING lock_id, recorder, epoch),
      receipt AS (
        UPDATE {takeovers} t SET detail = concat_ws('; ', detail, :detail::text)
        WHERE id = (
          SELECT max(id) FROM {takeovers} JOIN anew USING (lock_id, recorder)
          WHERE to_epoch = anew.epoch))
      SELECT count(*) FROM anew
      """;

  /** Ends the term with the position at the beginning of this server's history. */
  boolean beginAnew(Connection connection, Term term, LogHead head, Counts counts)
      throws SQLException {
    String detail =
        "rebased after slot %s: %s recorded, %s next"
            .formatted(
                head.lastSlot(),
                Plurals.of(counts.recorded(), "row here is", "rows here are"),
                Plurals.of(counts.waiting(), "comes", "come"));
    return endTerm(beginAnew.on(connection), term, head, detail);
  }

  /** Ends the term with the position unchanged. */
  boolean goOn(Connection connection, Term term, LogHead head) throws SQLException {
    return endTerm(
        goOn.on(connection),
        term,
        head,
        "continues behind slot " + head.lastSlot() + ", and no row has another number");
  }

  private static boolean endTerm(SqlStatement ending, Term term, LogHead head, String detail)
      throws SQLException {
    try (SqlStatement statement = ending) {
      return statement
              .set("lock", term.lockId())
              .set("epoch", term.epoch())
              .set("holder", term.machine())
              .set("lastSlot", head.lastSlot())
              .set("detail", detail)
              .number()
          == 1;
    }
  }
}
