package dev.recorder.clearing.postgres;

import dev.recorder.audit.SlotChain;
import dev.recorder.clearing.SettledSlots;
import dev.recorder.handoff.Position;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Term;
import dev.recorder.handoff.Window;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.LockTrouble;
import dev.recorder.postgres.Transaction;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlCall;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.slotlog.postgres.ForeignNumbers;
import dev.recorder.slotlog.postgres.SlotStatements;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Settled slots over one session. */
public final class JdbcSettledSlots implements SettledSlots {
  /** Of a fold: a frozen host soon loses its locks. */
  private static final String LIMITS =
      """
      SET LOCAL lock_timeout = 50; SET LOCAL statement_timeout = 5000;
      SET LOCAL idle_in_transaction_session_timeout = 1000
      """;

  private final Connection connection;
  private final SchemaNames schemas;
  private final Term term;
  private final Sql standing;
  private final Sql rows;
  private final Sql notes;
  private final Sql fold;

  /**
   * Slots of a log.
   *
   * @param term in which they may be folded
   */
  public JdbcSettledSlots(Connection connection, SchemaNames schemas, Term term) {
    this.connection = connection;
    this.schemas = schemas;
    this.term = term;
    this.standing = Sql.in(schemas, STANDING, Map.of("planned_here", ForeignNumbers.PLANNED_HERE));
    this.rows = Sql.in(schemas, ROWS);
    this.notes =
        Sql.in(schemas, "SELECT last_slot FROM {folds} WHERE lock_id = :lock ORDER BY last_slot");
    this.fold = Sql.in(schemas, FOLD);
  }

  private static final String STANDING =
      """
      SELECT r.last_slot, r.first_slot, coalesce(s.slot, r.last_slot) AS planned_slot,
        r.rebased_slot, coalesce(f.last_slot, 0) AS folded_slot,
        coalesce(f.row_count, 0) AS folded_rows, coalesce(f.bytes, 0) AS folded_bytes,
        coalesce(f.chain, '') AS chain,
        f.done_snapshot::text, f.open_snapshot::text, f.open_xid::text, f.open_id
      FROM {lock_recorders} r
      LEFT JOIN LATERAL (
        SELECT s.slot FROM {slots} s WHERE {planned_here}
        ORDER BY s.lock_id DESC, s.slot DESC LIMIT 1) s ON true
      LEFT JOIN LATERAL (
        SELECT * FROM {folds} f WHERE f.lock_id = r.lock_id
        ORDER BY f.lock_id DESC, f.last_slot DESC LIMIT 1) f ON true
      WHERE r.lock_id = :lock
      """;

  @Override
  public SlotsStanding look() {
    return ask(
        () -> {
          try (SqlStatement statement = standing.on(connection)) {
            return statement
                .set("lock", term.lockId())
                .first(JdbcSettledSlots::standing)
                .orElseThrow(
                    () ->
                        new DatabaseException(
                            DatabaseErrorKind.UNUSABLE, "lockid " + term.lockId() + " has no row"));
          }
        });
  }

  private static SlotsStanding standing(ResultSet row) throws SQLException {
    return new SlotsStanding(
        row.getLong("last_slot"),
        row.getLong("first_slot"),
        row.getLong("planned_slot"),
        row.getLong("rebased_slot"),
        new SlotChain(
            row.getLong("folded_slot"),
            row.getLong("folded_rows"),
            row.getLong("folded_bytes"),
            row.getString("chain")),
        row.getString("done_snapshot") == null ? null : SlotStatements.position(row));
  }

  /** The window of a plan that came with a dump is another server's. */
  private static final String ROWS =
      """
      SELECT slot, sha256, row_count, bytes,
        CASE WHEN slot > rebased_slot AND s.epoch > rebased_epoch THEN window_from::text END
          AS window_from,
        window_to::text, window_complete, last_xid::text, last_id
      FROM {slots} s JOIN {lock_recorders} USING (lock_id)
      WHERE lock_id = :lock AND slot > :after AND slot <= :upTo
      ORDER BY slot, planned_at
      """;

  @Override
  public List<SlotRow> rows(long after, long upTo) {
    return ask(
        () -> {
          try (SqlStatement statement = rows.on(connection)) {
            return statement
                .set("lock", term.lockId())
                .set("after", after)
                .set("upTo", upTo)
                .all(
                    row ->
                        new SlotRow(
                            row.getLong("slot"),
                            row.getString("sha256"),
                            row.getLong("row_count"),
                            row.getLong("bytes"),
                            after(row)));
          }
        });
  }

  private static @Nullable Position after(ResultSet row) throws SQLException {
    String from = row.getString("window_from");
    return from == null
        ? null
        : new Window(
                Snapshot.parse(from),
                Snapshot.parse(row.getString("window_to")),
                row.getBoolean("window_complete"))
            .after(Long.parseLong(row.getString("last_xid")), row.getLong("last_id"));
  }

  @Override
  public List<Long> notes() {
    return ask(
        () -> {
          try (SqlStatement statement = notes.on(connection)) {
            return statement.set("lock", term.lockId()).all(row -> row.getLong(1));
          }
        });
  }

  /** By the index of the primary key: what was folded before is not met again. */
  private static final String FOLD =
      """
      WITH held AS (
        SELECT lock_id FROM {lock_recorders}
        WHERE lock_id = :lock AND epoch = :epoch AND holder = :machine AND log_uuid = :log::uuid
          AND last_slot > :upTo),
      gone AS (
        DELETE FROM {slots} s USING held
        WHERE s.lock_id = held.lock_id AND s.lock_id = :lock
          AND s.slot > :after AND s.slot <= :upTo
        RETURNING s.slot),
      unneeded AS (
        DELETE FROM {folds} f USING held
        WHERE f.lock_id = held.lock_id AND f.lock_id = :lock
          AND f.last_slot = ANY (:superfluous::bigint[])),
      noted AS (
        INSERT INTO {folds} (lock_id, last_slot, row_count, bytes, chain, done_snapshot,
          open_snapshot, open_xid, open_id, folded_at, folded_by)
        SELECT lock_id, :upTo, :rows, :bytes, :chain, :done::pg_snapshot, :open::pg_snapshot,
          :openXid::xid8, :openId::bigint, clock_timestamp(), :machine
        FROM held)
      SELECT count(*) FROM gone
      """;

  @Override
  public boolean fold(Fold fold) {
    return ask(
        () -> {
          try (Transaction transaction = Transaction.begin(connection)) {
            try (Statement statement = connection.createStatement()) {
              statement.execute(LIMITS);
            }
            // Fewer if the term is over, or if somebody else folds them.
            boolean whole = execute(fold) == fold.rows();
            if (whole) {
              transaction.commit();
            }
            return whole;
          }
        });
  }

  private long execute(Fold done) throws SQLException {
    Position position = done.position();
    Snapshot open = position == null ? null : position.open();
    try (SqlStatement statement = fold.on(connection)) {
      return statement
          .set("lock", term.lockId())
          .set("epoch", term.epoch())
          .set("machine", term.machine())
          .set("log", term.log().toString())
          .set("after", done.after())
          .set("upTo", done.chain().lastSlot())
          .setArray("superfluous", "bigint", done.superfluous().toArray())
          .set("rows", done.chain().rows())
          .set("bytes", done.chain().bytes())
          .set("chain", done.chain().hash())
          .set("done", position == null ? null : position.done().toString())
          .set("open", open == null ? null : open.toString())
          .set(
              "openXid",
              position == null || open == null ? null : Long.toString(position.openXid()))
          .setLongOrNull("openId", position == null || open == null ? null : position.openId())
          .number();
    }
  }

  private <T> T ask(SqlCall<T> question) {
    try {
      return question.run();
    } catch (SQLException e) {
      throw LockTrouble.of(connection, e, schemas);
    }
  }
}
