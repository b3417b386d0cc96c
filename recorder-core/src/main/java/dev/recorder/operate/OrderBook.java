package dev.recorder.operate;

import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlFunction;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A table of operators' orders to machines, whatever is ordered: both ends of it.
 *
 * <p>An order is addressed to a machine on the control session that it has when it is asked, and is
 * taken on that session or not at all: a machine that was evicted, restarted or restored meanwhile
 * does not do what it was asked before. It is taken within its time or not at all, by the server's
 * clock. So an order is not carried out once its operator gave up waiting, or died. Each step is
 * one statement.
 *
 * @param <T> an order
 */
public abstract class OrderBook<T extends MachineOrders.Numbered> implements MachineOrders<T> {
  /** Most orders that wait for a machine; more may be let in only at the very same time. */
  static final int MOST_WAITING = 20;

  /** How many are kept, including those that were carried out. */
  static final int MOST_KEPT = 1_000;

  private static final int LONGEST_USER = 200;

  private final String table;
  private final Sql tidy;
  private final Sql ask;
  private final Sql take;
  private final Sql answer;
  private final Sql look;
  private final Sql withdraw;
  private final Sql underWay;

  /**
   * The orders in one table.
   *
   * @param content the columns that say what is ordered, with commas between
   */
  OrderBook(SchemaNames schemas, String table, String content) {
    this.table = schemas.table(table);
    Map<String, String> pieces =
        Map.of(
            "orders",
            this.table,
            "content",
            content,
            "values",
            content.replaceAll("(\\w+)", ":$1"));
    this.tidy = Sql.in(schemas, TIDY, pieces);
    this.ask = Sql.in(schemas, ASK, pieces);
    this.take = Sql.in(schemas, TAKE, pieces);
    this.answer = Sql.in(schemas, ANSWER, pieces);
    this.look = Sql.in(schemas, LOOK, pieces);
    this.withdraw = Sql.in(schemas, WITHDRAW, pieces);
    this.underWay = Sql.in(schemas, UNDER_WAY, pieces);
  }

  /** What became of an order. */
  public enum OrderState {
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
  public record OrderStanding(OrderState state, @Nullable String answer, boolean sameSession) {}

  @Override
  public final String table() {
    return table;
  }

  private static final String TIDY =
      """
      WITH late AS (
        UPDATE {orders} SET state = 'withdrawn', ended_at = clock_timestamp()
        WHERE state = 'new'
          AND clock_timestamp() >= asked_at + take_within_ms * interval '1 millisecond')
      DELETE FROM {orders}
      WHERE state <> 'new' AND id <= (SELECT max(id) FROM {orders}) - :kept
      """;

  private static final String ASK =
      """
      INSERT INTO {orders} (machine, pid, backend_start, {content}, take_within_ms, os_user)
      SELECT i.name, i.pid, i.backend_start, {values}, :takeWithin, :osUser
      FROM {info_recorders} i
      WHERE i.name = :machine AND (
        SELECT count(*) FROM {orders} o
        WHERE o.machine = :machine AND o.state = 'new') < :most
      RETURNING id
      """;

  /**
   * Asks; the order's number, or empty if too many wait or no machine has this name.
   *
   * @param content sets what is ordered
   */
  final Optional<Long> ask(
      Connection connection, OrderHead head, SqlFunction<SqlStatement, SqlStatement> content)
      throws SQLException {
    try (SqlStatement statement = tidy.on(connection)) {
      statement.set("kept", MOST_KEPT).update();
    }
    try (SqlStatement statement = ask.on(connection)) {
      return content
          .apply(statement)
          .set("machine", head.machine())
          .set("takeWithin", Math.toIntExact(head.takeWithin().toMillis()))
          .set("osUser", cut(head.osUser()))
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
      UPDATE {orders} SET state = 'taken', taken_at = clock_timestamp()
      WHERE state = 'new' AND id = (
        SELECT id FROM {orders}
        WHERE state = 'new' AND machine = :machine
          AND pid = :pid AND backend_start = :backendStart::timestamptz
          AND pid = pg_backend_pid()
          AND clock_timestamp() < asked_at + take_within_ms * interval '1 millisecond'
        ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id, asked_by, coalesce(host(client_addr), 'local') AS client, os_user, {content}
      """;

  /** Who asked, of a row that was taken. */
  static ReloadOrder.Asker asker(ResultSet row) throws SQLException {
    return new ReloadOrder.Asker(
        row.getString("asked_by"), row.getString("client"), row.getString("os_user"));
  }

  /** The order of a row that was taken, which has the columns of what was ordered. */
  abstract T order(ResultSet row) throws SQLException;

  @Override
  public final Optional<T> take(Connection connection, String machine, RdsManager.Identity identity)
      throws SQLException {
    try (SqlStatement statement = take.on(connection)) {
      return statement
          .set("machine", machine)
          .set("pid", identity.pid())
          .set("backendStart", identity.backendStart())
          .first(this::order);
    }
  }

  private static final String ANSWER =
      """
      UPDATE {orders}
      SET state = 'done', ended_at = clock_timestamp(), answer = :answer::json
      WHERE id = :id AND state = 'taken'
      """;

  @Override
  public final boolean answer(Connection connection, long id, String json) throws SQLException {
    try (SqlStatement statement = answer.on(connection)) {
      return statement.set("id", id).set("answer", json).update() == 1;
    }
  }

  private static final String LOOK =
      """
      SELECT o.state, o.answer::text, i.name IS NOT NULL
      FROM {orders} o
      LEFT JOIN {info_recorders} i
        ON i.name = o.machine AND i.pid = o.pid AND i.backend_start = o.backend_start
      WHERE o.id = :id
      """;

  /** How an order stands; empty if it is gone, as after a restore of the database. */
  final Optional<OrderStanding> look(Connection connection, long id) throws SQLException {
    try (SqlStatement statement = look.on(connection)) {
      return statement
          .set("id", id)
          .first(
              row ->
                  new OrderStanding(
                      OrderState.valueOf(row.getString(1).toUpperCase(Locale.ROOT)),
                      row.getString(2),
                      row.getBoolean(3)));
    }
  }

  /** On the session that the machine has now: what one before it left undone nobody is at. */
  private static final String UNDER_WAY =
      """
      SELECT o.id, o.asked_by, coalesce(host(o.client_addr), 'local') AS client, o.os_user,
        {content}
      FROM {orders} o
      JOIN {info_recorders} i
        ON i.name = o.machine AND i.pid = o.pid AND i.backend_start = o.backend_start
      WHERE o.machine = :machine AND o.state = 'taken' ORDER BY o.id DESC LIMIT 1
      """;

  /** The order that a machine has taken and not answered, as it takes no other meanwhile. */
  final Optional<T> underWay(Connection connection, String machine) throws SQLException {
    try (SqlStatement statement = underWay.on(connection)) {
      return statement.set("machine", machine).first(this::order);
    }
  }

  private static final String WITHDRAW =
      """
      UPDATE {orders} SET state = 'withdrawn', ended_at = clock_timestamp()
      WHERE id = :id AND state = 'new'
      """;

  /** Takes an order back; whether nobody had taken it, and now nobody will. */
  final boolean withdraw(Connection connection, long id) throws SQLException {
    try (SqlStatement statement = withdraw.on(connection)) {
      return statement.set("id", id).update() == 1;
    }
  }
}
