package dev.recorder.operate;

import dev.recorder.operate.ReloadOrder.Asker;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.schema.ServerQueries;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Orders to reload, in {@code reload_orders}: both ends of them.
 *
 * <p>An order is addressed to a machine on the control session that it has when it is asked, and is
 * taken on that session or not at all: a machine that was evicted, restarted or restored meanwhile
 * does not do what it was asked before. It is taken within its time or not at all, by the server's
 * clock. So whoever gave up waiting, or died, is not served behind their back. Each step is one
 * statement.
 */
public final class ReloadOrders {
  /** So many orders at most wait for a machine; more may be let in only at the very same time. */
  static final int MOST_WAITING = 20;

  /** So many are kept, those that were carried out included. */
  static final int MOST_KEPT = 1_000;

  private static final int LONGEST_USER = 200;

  private final SchemaNames schemas;
  private final Sql tidy;
  private final Sql ask;
  private final Sql take;
  private final Sql answer;
  private final Sql look;
  private final Sql withdraw;

  public ReloadOrders(SchemaNames schemas) {
    this.schemas = schemas;
    this.tidy = Sql.in(schemas, TIDY);
    this.ask = Sql.in(schemas, ASK);
    this.take = Sql.in(schemas, TAKE);
    this.answer = Sql.in(schemas, ANSWER);
    this.look = Sql.in(schemas, LOOK);
    this.withdraw = Sql.in(schemas, WITHDRAW);
  }

  /** What became of an order. */
  public enum State {
    NEW,
    TAKEN,
    DONE,
    WITHDRAWN
  }

  /**
   * How an order stands.
   *
   * @param answer what the machine said, once it is done
   * @param sameSession whether the machine still has the session that it was addressed on
   */
  public record Standing(State state, @Nullable String answer, boolean sameSession) {}

  /** Whether there is such a table. */
  public boolean exist(Connection connection) throws SQLException {
    return ServerQueries.exists(connection, schemas.table("reload_orders"));
  }

  private static final String TIDY =
      """
      WITH late AS (
        UPDATE {reload_orders} SET state = 'withdrawn', ended_at = clock_timestamp()
        WHERE state = 'new'
          AND clock_timestamp() >= asked_at + take_within_ms * interval '1 millisecond')
      DELETE FROM {reload_orders}
      WHERE state <> 'new' AND id <= (SELECT max(id) FROM {reload_orders}) - :kept
      """;

  private static final String ASK =
      """
      INSERT INTO {reload_orders}
        (machine, pid, backend_start, dry_run, file, take_within_ms, os_user)
      SELECT i.name, i.pid, i.backend_start, :dryRun, :file, :takeWithin, :osUser
      FROM {info_recorders} i
      WHERE i.name = :machine AND (
        SELECT count(*) FROM {reload_orders} o
        WHERE o.machine = :machine AND o.state = 'new') < :most
      RETURNING id
      """;

  /**
   * What is asked.
   *
   * @param file as the machine is to know it
   * @param takeWithin after that the machine does not take the order any more; up to an hour
   * @param osUser who asks, by their own account
   */
  public record Wanted(
      String machine, boolean dryRun, String file, Duration takeWithin, String osUser) {}

  /** Asks; the order's number, or empty if too many wait or no machine has this name. */
  Optional<Long> ask(Connection connection, Wanted wanted) throws SQLException {
    try (SqlStatement statement = tidy.on(connection)) {
      statement.set("kept", MOST_KEPT).update();
    }
    try (SqlStatement statement = ask.on(connection)) {
      return statement
          .set("machine", wanted.machine())
          .set("dryRun", wanted.dryRun())
          .set("file", wanted.file())
          .set("takeWithin", Math.toIntExact(wanted.takeWithin().toMillis()))
          .set("osUser", cut(wanted.osUser()))
          .set("most", MOST_WAITING)
          .first(row -> row.getLong(1));
    }
  }

  private static String cut(String user) {
    String text = user.replace('\0', ' ');
    return text.length() > LONGEST_USER ? text.substring(0, LONGEST_USER) : text;
  }

  private static final String TAKE =
      """
      UPDATE {reload_orders} SET state = 'taken', taken_at = clock_timestamp()
      WHERE state = 'new' AND id = (
        SELECT id FROM {reload_orders}
        WHERE state = 'new' AND machine = :machine
          AND pid = :pid AND backend_start = :backendStart::timestamptz
          AND pid = pg_backend_pid()
          AND clock_timestamp() < asked_at + take_within_ms * interval '1 millisecond'
        ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id, dry_run, file, asked_by, coalesce(host(client_addr), 'local'), os_user
      """;

  /**
   * Takes the oldest order that was addressed to this machine on this session; empty if none.
   *
   * @param identity of the session that {@code connection} is; with another's nothing is taken
   */
  public Optional<ReloadOrder> take(
      Connection connection, String machine, RdsManager.Identity identity) throws SQLException {
    try (SqlStatement statement = take.on(connection)) {
      return statement
          .set("machine", machine)
          .set("pid", identity.pid())
          .set("backendStart", identity.backendStart())
          .first(
              row ->
                  new ReloadOrder(
                      row.getLong(1),
                      row.getBoolean(2),
                      row.getString(3),
                      new Asker(row.getString(4), row.getString(5), row.getString(6))));
    }
  }

  private static final String ANSWER =
      """
      UPDATE {reload_orders}
      SET state = 'done', ended_at = clock_timestamp(), answer = :answer::json
      WHERE id = :id AND state = 'taken'
      """;

  /** Says what became of an order that was taken, on whatever session. Safe to repeat. */
  public boolean answer(Connection connection, long id, String json) throws SQLException {
    try (SqlStatement statement = answer.on(connection)) {
      return statement.set("id", id).set("answer", json).update() == 1;
    }
  }

  private static final String LOOK =
      """
      SELECT o.state, o.answer::text, i.name IS NOT NULL
      FROM {reload_orders} o
      LEFT JOIN {info_recorders} i
        ON i.name = o.machine AND i.pid = o.pid AND i.backend_start = o.backend_start
      WHERE o.id = :id
      """;

  /** How an order stands; empty if it is gone, as after a restore of the database. */
  Optional<Standing> look(Connection connection, long id) throws SQLException {
    try (SqlStatement statement = look.on(connection)) {
      return statement
          .set("id", id)
          .first(
              row ->
                  new Standing(
                      State.valueOf(row.getString(1).toUpperCase(Locale.ROOT)),
                      row.getString(2),
                      row.getBoolean(3)));
    }
  }

  private static final String WITHDRAW =
      """
      UPDATE {reload_orders} SET state = 'withdrawn', ended_at = clock_timestamp()
      WHERE id = :id AND state = 'new'
      """;

  /** Takes an order back; whether nobody had taken it, and now nobody will. */
  boolean withdraw(Connection connection, long id) throws SQLException {
    try (SqlStatement statement = withdraw.on(connection)) {
      return statement.set("id", id).update() == 1;
    }
  }
}
