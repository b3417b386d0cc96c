package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.Position;
import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Term;
import dev.recorder.postgres.sql.LatestRowVersion;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.slotlog.LogChain;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.SlotContent;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The statements of a term on {@code lock_recorders} and {@code slots}. Each is one transaction,
 * and its WHERE checks the term and the last slot.
 */
public final class SlotStatements {
  /** The columns of a recorded position. */
  public static final String POSITION =
      "done_snapshot::text, open_snapshot::text, open_xid::text, open_id";

  /** The columns of a log's state. */
  public static final String STANDING =
      SqlTemplate.fill(
          "last_slot, first_slot, log_uuid, chain, {position}", Map.of("position", POSITION));

  /**
   * The condition on the holder, for statements that write nothing. The term of a recorder without
   * a holder has an empty host name.
   */
  static final String HOLDER = "coalesce(holder, '') = :machine";

  private static final String ADVANCE =
      """
      UPDATE {lock_recorders} SET last_slot = :lastSlot, chain = :chain,
        done_snapshot = :done::pg_snapshot,
        open_snapshot = :open::pg_snapshot, open_xid = :openXid::xid8, open_id = :openId,
        database = coalesce(:database, database), settled_at = clock_timestamp(),
        own_settled_at = CASE WHEN :database::text IS NULL THEN own_settled_at
          ELSE clock_timestamp() END,
        update_time = clock_timestamp()
      WHERE {there} lock_id = :lock AND epoch = :epoch AND holder = :machine AND last_slot = :before
      RETURNING lock_id, recorder
      """;

  /**
   * Notifies the sessions that wait for a slot of this log, if there are any. Each waiting session
   * shares the advisory lock that this statement tries. A notification without a listener would
   * still queue after all transactions that notify. A session that listens and never ends its
   * transaction fills the server's queue. If the queue is at least half full, no notification is
   * sent, so that no slot fails for a full queue. The waiting sessions then poll.
   */
  private static final String TELL =
      """
      (SELECT CASE
        WHEN pg_try_advisory_xact_lock(:waiters, lock_id) THEN false
        WHEN pg_notification_queue_usage() < 0.5
          THEN pg_notify({channel} || recorder, '') IS NOT NULL
        END FROM held)
      """;

  /** Keeps an existing row: the same content covers the same rows, and its window stays valid. */
  private static final String INSERT =
      """
      INSERT INTO {slots} (lock_id, slot, sha256, epoch, writer, window_from, window_to,
        window_complete, row_count, first_xid, first_id, last_xid, last_id, bytes, planned_at)
      SELECT :lock, :slot, :sha, :epoch, :machine, :from::pg_snapshot, :to::pg_snapshot,
        :complete::boolean, :rows, :firstXid::xid8, :firstId, :lastXid::xid8, :lastId, :bytes,
        clock_timestamp()
      FROM held
      ON CONFLICT DO NOTHING RETURNING slot
      """;

  /**
   * Finds the row's latest version without reading older ones. If another transaction changes the
   * row at that moment, the statement finds no row.
   */
  static final String THERE =
      SqlTemplate.fill("ctid = ({log}) AND", Map.of("log", LatestRowVersion.LOG));

  static final Map<String, String> PIECES =
      Map.of(
          "there", THERE,
          "standing", STANDING,
          "held_by_term", HOLDER,
          "advance", ADVANCE,
          "tell", TELL,
          "channel", Quoted.literal(SchemaNames.RECORDED),
          "insert", INSERT);

  /** The same statements without {@link #THERE}. */
  private static final Map<String, String> ANYWHERE = anywhere();

  private final Term term;
  private final int waiters;
  private final Sql head;
  private final Sql plan;
  private final Sql settle;
  private final Sql settleAnywhere;
  private final Sql settleAndPlan;
  private final Sql settleAndPlanAnywhere;

  public SlotStatements(SchemaNames schemas, Term term) {
    this.term = term;
    this.waiters = schemas.waitersNamespace();
    this.head = Sql.in(schemas, HEAD, PIECES);
    this.plan = Sql.in(schemas, PLAN, PIECES);
    this.settle = Sql.in(schemas, SETTLE, PIECES);
    this.settleAnywhere = Sql.in(schemas, SETTLE, ANYWHERE);
    this.settleAndPlan = Sql.in(schemas, SETTLE_AND_PLAN, PIECES);
    this.settleAndPlanAnywhere = Sql.in(schemas, SETTLE_AND_PLAN, ANYWHERE);
  }

  private static Map<String, String> anywhere() {
    Map<String, String> pieces = new HashMap<>(PIECES);
    pieces.put("there", "");
    return Map.copyOf(pieces);
  }

  private static final String HEAD =
      """
      SELECT {standing} FROM {lock_recorders}
      WHERE lock_id = :lock AND epoch = :epoch AND {held_by_term}
      """;

  /** Returns the log's state, if the row still names the term. */
  Optional<LogHead> head(Connection connection) throws SQLException {
    try (SqlStatement statement = head.on(connection)) {
      return bindTerm(statement).first(SlotStatements::head);
    }
  }

  /** Reads a log's state from the columns of {@link #STANDING}. */
  public static LogHead head(ResultSet row) throws SQLException {
    return new LogHead(
        row.getLong("last_slot"),
        row.getLong("first_slot"),
        LogChain.of(row.getObject("log_uuid", UUID.class), row.getString("chain")),
        position(row));
  }

  /** Reads the position from the columns of {@link #POSITION}. */
  public static Position position(ResultSet row) throws SQLException {
    String open = row.getString("open_snapshot");
    return open == null
        ? Position.doneUpTo(Snapshot.parse(row.getString("done_snapshot")))
        : new Position(
            Snapshot.parse(row.getString("done_snapshot")),
            Snapshot.parse(open),
            Long.parseLong(row.getString("open_xid")),
            row.getLong("open_id"));
  }

  /**
   * The outcome of a plan.
   *
   * @param held whether the recorder's row named this term and the slot before; if not, nothing was
   *     done
   * @param inserted false if the same content had been planned before
   */
  record WrittenPlan(boolean held, boolean inserted) {}

  private static final String PLAN =
      """
      WITH held AS (
        SELECT lock_id FROM {lock_recorders}
        WHERE {there} lock_id = :lock AND epoch = :epoch AND holder = :machine
          AND last_slot = :before),
      planned AS ({insert})
      SELECT (SELECT count(*) FROM held), (SELECT count(*) FROM planned)
      """;

  /** Inserts the slot's row. */
  WrittenPlan plan(Connection connection, SlotContent content) throws SQLException {
    try (SqlStatement statement = plan.on(connection)) {
      bindTerm(statement).set("before", content.slot() - 1);
      return outcome(bindContent(statement, content));
    }
  }

  private static final String SETTLE = "WITH held AS ({advance}) SELECT count(*), {tell} FROM held";

  /**
   * Settles {@code content}. Returns false, and changes nothing, if the row does not name this term
   * and the slot before.
   */
  boolean settle(Connection connection, SlotContent content, LogChain chain) throws SQLException {
    return advance(connection, content.slot() - 1, new Advance(content, chain));
  }

  /** Visible for a test of its cost. */
  static final String SETTLE_AND_PLAN =
      """
      WITH held AS ({advance}),
      planned AS ({insert})
      SELECT (SELECT count(*) FROM held), (SELECT count(*) FROM planned), {tell}
      """;

  /** Settles {@code content} and plans {@code next}, both or neither. */
  WrittenPlan settleAndPlan(
      Connection connection, SlotContent content, LogChain chain, SlotContent next)
      throws SQLException {
    Advance to = new Advance(content, chain);
    WrittenPlan written = settleAndPlan(settleAndPlan, connection, to, next);
    return written.held() ? written : settleAndPlan(settleAndPlanAnywhere, connection, to, next);
  }

  private WrittenPlan settleAndPlan(Sql sql, Connection connection, Advance to, SlotContent next)
      throws SQLException {
    try (SqlStatement statement = sql.on(connection)) {
      return outcome(bindSettleAndPlan(statement, to, next));
    }
  }

  SqlStatement bindSettleAndPlan(SqlStatement statement, Advance to, SlotContent next)
      throws SQLException {
    bindAdvance(statement, to.lastSlot() - 1, to);
    return bindContent(statement, next);
  }

  /**
   * Moves the log from {@code lastSlot} to {@code head}. Returns false, and changes nothing, if the
   * row does not name this term and {@code lastSlot}.
   */
  public boolean advance(Connection connection, long lastSlot, LogHead head) throws SQLException {
    return advance(
        connection, lastSlot, new Advance(head.lastSlot(), head.chain(), head.position(), null));
  }

  /**
   * The log's state after a slot is settled.
   *
   * @param database null if the slot was adopted, as further slots that this database has lost may
   *     follow
   */
  record Advance(
      long lastSlot, LogChain chain, Position position, @Nullable DatabaseIdentity database) {
    Advance(SlotContent settled, LogChain chain) {
      this(settled.slot(), chain, settled.after(), settled.origin().database());
    }
  }

  private boolean advance(Connection connection, long before, Advance to) throws SQLException {
    return advance(settle.on(connection), before, to)
        || advance(settleAnywhere.on(connection), before, to);
  }

  private boolean advance(SqlStatement settling, long before, Advance to) throws SQLException {
    try (settling) {
      return bindAdvance(settling, before, to).number() == 1;
    }
  }

  private SqlStatement bindTerm(SqlStatement statement) throws SQLException {
    return statement
        .set("lock", term.lockId())
        .set("epoch", term.epoch())
        .set("machine", term.machine());
  }

  private SqlStatement bindAdvance(SqlStatement statement, long before, Advance to)
      throws SQLException {
    Position position = to.position();
    DatabaseIdentity database = to.database();
    Snapshot open = position.open();
    return bindTerm(statement)
        .set("waiters", waiters)
        .set("before", before)
        .set("lastSlot", to.lastSlot())
        .set("chain", to.chain().hash())
        .set("database", database == null ? null : database.text())
        .set("done", position.done().toString())
        .set("open", open == null ? null : open.toString())
        .set("openXid", open == null ? null : Long.toString(position.openXid()))
        .setLongOrNull("openId", open == null ? null : position.openId());
  }

  private static SqlStatement bindContent(SqlStatement statement, SlotContent content)
      throws SQLException {
    return statement
        .set("slot", content.slot())
        .set("sha", content.sha256())
        .set("from", content.window().from().toString())
        .set("to", content.window().to().toString())
        .set("complete", content.window().complete())
        .set("rows", content.extent().rows())
        .set("firstXid", Long.toString(content.extent().firstXid()))
        .set("firstId", content.extent().firstId())
        .set("lastXid", Long.toString(content.extent().lastXid()))
        .set("lastId", content.extent().lastId())
        .set("bytes", content.bytes());
  }

  private static WrittenPlan outcome(SqlStatement statement) throws SQLException {
    return statement
        .first(row -> new WrittenPlan(row.getLong(1) == 1, row.getLong(2) == 1))
        .orElseThrow();
  }
}
