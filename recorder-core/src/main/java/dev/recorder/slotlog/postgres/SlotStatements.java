package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.Position;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Term;
import dev.recorder.handoff.Window;
import dev.recorder.postgres.SchemaNames;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.SlotContent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The statements of a term on {@code lock_recorders} and {@code slots}: each one transaction, each
 * held to the term and the last slot by its own WHERE.
 */
public final class SlotStatements {
  /** The columns of a recorded position. */
  public static final String POSITION =
      "done_snapshot::text, open_snapshot::text, open_xid::text, open_id";

  /** For those that write nothing; nobody's term has a machine without a name. */
  static final String HOLDER = "coalesce(holder, '') = ?";

  private final Term term;
  private final String loadSql;
  private final String planSql;
  private final String settleSql;
  final String settleAndPlanSql;
  private final String plannedSql;
  private final String windowSql;

  public SlotStatements(SchemaNames schemas, Term term) {
    this.term = term;
    String recorders = schemas.table("lock_recorders");
    String slots = schemas.table("slots");
    String ours = " WHERE lock_id = ? AND epoch = ? AND holder = ?";
    String insert =
        "INSERT INTO "
            + slots
            + " (lock_id, slot, sha256, epoch, writer, window_from, window_to, window_complete,"
            + " row_count, first_xid, first_id, last_xid, last_id, bytes, planned_at)"
            + " SELECT ?, ?, ?, ?, ?, ?::pg_snapshot, ?::pg_snapshot, ?::boolean,"
            + " ?, ?::xid8, ?, ?::xid8, ?, ?, clock_timestamp() FROM held"
            // The same content planned before covers the same rows, and its window stands.
            + " ON CONFLICT DO NOTHING RETURNING slot";
    // A plan that came with a dump is in another server's numbers once this one is rebased.
    String sinceRebase =
        " AND epoch > (SELECT rebased_epoch FROM " + recorders + " r WHERE r.lock_id = s.lock_id)";
    String counts = "SELECT (SELECT count(*) FROM held), (SELECT count(*) FROM planned)";
    String update =
        "UPDATE "
            + recorders
            + " SET last_slot = ?, done_snapshot = ?::pg_snapshot, open_snapshot = ?::pg_snapshot,"
            + " open_xid = ?::xid8, open_id = ?, settled_at = clock_timestamp(),"
            + " update_time = clock_timestamp()"
            + ours
            + " AND last_slot = ? RETURNING lock_id";
    this.loadSql =
        "SELECT last_slot, first_slot, "
            + POSITION
            + " FROM "
            + recorders
            + " WHERE lock_id = ? AND epoch = ? AND "
            + HOLDER;
    this.planSql =
        "WITH held AS (SELECT lock_id FROM "
            + recorders
            + ours
            + " AND last_slot = ?),"
            + " planned AS ("
            + insert
            + ") "
            + counts;
    this.settleSql = "WITH held AS (" + update + ") SELECT count(*) FROM held";
    this.settleAndPlanSql = "WITH held AS (" + update + "), planned AS (" + insert + ") " + counts;
    this.windowSql =
        "SELECT window_from::text, window_to::text, window_complete FROM "
            + slots
            + " s WHERE lock_id = ? AND slot = ? AND sha256 = ? AND window_from::text = ?"
            + sinceRebase;
    this.plannedSql =
        "SELECT window_from::text, window_to::text, window_complete, last_xid::text, last_id FROM "
            + slots
            + " s WHERE lock_id = ? AND slot = ? AND sha256 = ? AND window_to IS NOT NULL"
            + sinceRebase;
  }

  /** Where the log stands, if the row still names the term. */
  Optional<LogHead> head(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(loadSql)) {
      bindTerm(statement, 1);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return Optional.empty();
        }
        return Optional.of(new LogHead(row.getLong(1), row.getLong(2), position(row, 3)));
      }
    }
  }

  /** The position in four columns from {@code first} on: done, open, and the open window's row. */
  public static Position position(ResultSet row, int first) throws SQLException {
    String open = row.getString(first + 1);
    return open == null
        ? Position.doneUpTo(Snapshot.parse(row.getString(first)))
        : new Position(
            Snapshot.parse(row.getString(first)),
            Snapshot.parse(open),
            Long.parseLong(row.getString(first + 2)),
            row.getLong(first + 3));
  }

  /**
   * What became of a plan.
   *
   * @param held whether the row named this term and the slot before; otherwise nothing was done
   * @param inserted false if this very content had been planned before
   */
  record Outcome(boolean held, boolean inserted) {}

  /** Inserts the slot's row. */
  Outcome plan(Connection connection, SlotContent content) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(planSql)) {
      int next = bindTerm(statement, 1);
      statement.setLong(next++, content.slot() - 1);
      bindContent(statement, next, content);
      return outcome(statement);
    }
  }

  /** Settles {@code content}; false if the row does not say what it must. */
  boolean settle(Connection connection, SlotContent content) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(settleSql)) {
      bindAdvance(statement, content.slot() - 1, content.slot(), content.after());
      return hitOne(statement);
    }
  }

  /** Settles {@code content} and plans {@code next}, both or neither. */
  Outcome settleAndPlan(Connection connection, SlotContent content, SlotContent next)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(settleAndPlanSql)) {
      bindSettleAndPlan(statement, content, next);
      return outcome(statement);
    }
  }

  void bindSettleAndPlan(PreparedStatement statement, SlotContent content, SlotContent next)
      throws SQLException {
    int p = bindAdvance(statement, content.slot() - 1, content.slot(), content.after());
    bindContent(statement, p, next);
  }

  /** The window under which this content was planned before, from the same position. */
  @Nullable Window window(Connection connection, SlotContent content) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(windowSql)) {
      statement.setInt(1, term.lockId());
      statement.setLong(2, content.slot());
      statement.setString(3, content.sha256());
      statement.setString(4, content.window().from().toString());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? window(row) : null;
      }
    }
  }

  /**
   * Moves the log from {@code lastSlot} to {@code head}; false if the row does not say what it
   * must.
   */
  public boolean advance(Connection connection, long lastSlot, LogHead head) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(settleSql)) {
      bindAdvance(statement, lastSlot, head.lastSlot(), head.position());
      return hitOne(statement);
    }
  }

  /**
   * The position after the slot that follows {@code head}, if this database planned that content
   * from where it stands now. Its commit came after, and so made durable, every row it covers.
   */
  public Optional<Position> plannedPosition(Connection connection, LogHead head, String sha256)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(plannedSql)) {
      statement.setInt(1, term.lockId());
      statement.setLong(2, head.lastSlot() + 1);
      statement.setString(3, sha256);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return Optional.empty();
        }
        Window window = window(row);
        return window.from().equals(head.position().done())
            ? Optional.of(window.after(Long.parseLong(row.getString(4)), row.getLong(5)))
            : Optional.empty();
      }
    }
  }

  private static Window window(ResultSet row) throws SQLException {
    return new Window(
        Snapshot.parse(row.getString(1)), Snapshot.parse(row.getString(2)), row.getBoolean(3));
  }

  private int bindTerm(PreparedStatement statement, int first) throws SQLException {
    statement.setInt(first, term.lockId());
    statement.setLong(first + 1, term.epoch());
    statement.setString(first + 2, term.machine());
    return first + 3;
  }

  private int bindAdvance(PreparedStatement statement, long from, long to, Position position)
      throws SQLException {
    Snapshot open = position.open();
    statement.setLong(1, to);
    statement.setString(2, position.done().toString());
    statement.setString(3, open == null ? null : open.toString());
    statement.setString(4, open == null ? null : Long.toString(position.openXid()));
    statement.setObject(5, open == null ? null : position.openId(), java.sql.Types.BIGINT);
    int next = bindTerm(statement, 6);
    statement.setLong(next, from);
    return next + 1;
  }

  private void bindContent(PreparedStatement statement, int first, SlotContent content)
      throws SQLException {
    int p = first;
    statement.setInt(p++, term.lockId());
    statement.setLong(p++, content.slot());
    statement.setString(p++, content.sha256());
    statement.setLong(p++, term.epoch());
    statement.setString(p++, term.machine());
    statement.setString(p++, content.window().from().toString());
    statement.setString(p++, content.window().to().toString());
    statement.setBoolean(p++, content.window().complete());
    statement.setInt(p++, content.extent().rows());
    statement.setString(p++, Long.toString(content.extent().firstXid()));
    statement.setLong(p++, content.extent().firstId());
    statement.setString(p++, Long.toString(content.extent().lastXid()));
    statement.setLong(p++, content.extent().lastId());
    statement.setLong(p, content.bytes());
  }

  private static Outcome outcome(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      return new Outcome(row.getLong(1) == 1, row.getLong(2) == 1);
    }
  }

  private static boolean hitOne(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      row.next();
      return row.getLong(1) == 1;
    }
  }
}
