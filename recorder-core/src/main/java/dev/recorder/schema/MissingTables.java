package dev.recorder.schema;

import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.Transaction;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Creates what is missing, where this role may, and says which SQL to run where it may not. */
final class MissingTables {
  /** In the message, before statements in lines of their own. */
  static final String SQL_FOLLOWS = ", or at least:";

  private final SchemaNames names;
  private final Schema schema;
  private final LockTables locks;

  MissingTables(SchemaNames names) {
    this.names = names;
    this.schema = new Schema(names);
    this.locks = new LockTables(names);
  }

  /** What came to a table last. */
  private static final Sql IS_AS_IT_IS_NOW =
      Sql.of(
          """
          SELECT EXISTS (
            SELECT FROM pg_attribute a
            JOIN pg_class c ON c.oid = a.attrelid
            JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = :name AND c.relname = 'blocks' AND a.attname = 'first_block')
          """);

  void createControl(Connection connection) throws SQLException {
    if (!exist(connection, new ControlTables(names).relations())
        || !isTrue(connection, IS_AS_IT_IS_NOW, names.control())) {
      createSchema(connection, names.control());
      create(connection, "tables of schema " + names.control(), schema.tables());
    }
  }

  private static final Sql MAY_CREATE = Sql.of("SELECT has_schema_privilege(:name, 'CREATE')");

  /**
   * Where the role may not, whoever uses a lock is told; recording must not wait for an
   * administrator because of tables that it does not need.
   */
  void createLocks(Connection connection) throws SQLException {
    if (!exist(connection, locks.relations()) && isTrue(connection, MAY_CREATE, names.control())) {
      create(connection, "tables of locks", locks.create());
    }
  }

  /** Where the role may not, 'recorder status' says so. */
  void createConditions(Connection connection) throws SQLException {
    createIfAllowed(
        connection, ControlTables.CONDITIONS, new ControlTables(names).createConditions());
  }

  /** Where the role may not, 'recorder reload' and others say so. */
  void createOrders(Connection connection) throws SQLException {
    for (OrderTable.OrderContent content : OrderTable.OrderContent.values()) {
      OrderTable orders = new OrderTable(names, content);
      createIfAllowed(connection, orders.name(), orders.create());
    }
    createIfAllowed(connection, SwitchoverTable.NAME, new SwitchoverTable(names).create());
  }

  /** Where the role may not, the machine that should verify a log says so. */
  void createVerdicts(Connection connection) throws SQLException {
    createIfAllowed(connection, VerdictTable.NAME, new VerdictTable(names).create());
  }

  private void createIfAllowed(Connection connection, String name, List<String> sql)
      throws SQLException {
    String table = names.table(name);
    if (!ServerQueries.exists(connection, table)
        && isTrue(connection, MAY_CREATE, names.control())) {
      create(connection, table, sql);
    }
  }

  /** Where the role may not, each process knows only of races that it has seen itself. */
  void createLostRaces(Connection connection) throws SQLException {
    createIfAllowed(connection, LostRaceTable.NAME, new LostRaceTable(names).create());
  }

  /** Where the role may not, 'recorder pause' says so. */
  void createPauses(Connection connection) throws SQLException {
    createIfAllowed(connection, PauseTable.NAME, new PauseTable(names).create());
  }

  private static final Sql MAY_WAIT_BE_CREATED =
      Sql.of(
          """
          SELECT NOT EXISTS (
              SELECT FROM pg_proc p
              WHERE p.pronamespace = n.oid AND p.proname = :function)
            AND has_schema_privilege(n.oid, 'CREATE') AND pg_has_role(c.relowner, 'USAGE')
          FROM pg_namespace n
          JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = 'lock_recorders'
          WHERE n.nspname = :name
          """);

  /** Where the role may not, producers who call it are told; recording does not need it. */
  void createWait(Connection connection) throws SQLException {
    try (SqlStatement statement = MAY_WAIT_BE_CREATED.on(connection)) {
      statement.set("function", WaitFunction.NAME).set("name", names.control());
      if (!statement.truth()) {
        return;
      }
    }
    WaitFunction waiting = new WaitFunction(names);
    create(connection, "function " + names.table(WaitFunction.NAME), waiting.create());
    if (isTrue(connection, IS_ROLE, Schema.PRODUCERS)) {
      create(connection, "rights of " + Schema.PRODUCERS, waiting.grantToProducers());
    }
  }

  private static boolean exist(Connection connection, List<String> relations) throws SQLException {
    boolean all = true;
    for (String relation : relations) {
      all &= ServerQueries.exists(connection, relation);
    }
    return all;
  }

  private static final Sql IS_ROLE =
      Sql.of("SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = :name)");

  void createHandoff(Connection connection, HandoffTable table) throws SQLException {
    String name = names.handoffTable(table.recorder());
    if (ServerQueries.exists(connection, name)) {
      return;
    }
    createSchema(connection, names.handoff());
    create(connection, name, table.create(names));
    if (isTrue(connection, IS_ROLE, Schema.PRODUCERS)) {
      create(connection, "rights of " + Schema.PRODUCERS, schema.producerGrants(table));
    }
  }

  private static final Sql IS_SCHEMA = Sql.of("SELECT to_regnamespace(:name) IS NOT NULL");

  /** CREATE SCHEMA IF NOT EXISTS wants the right to create even where there is nothing to do. */
  private static void createSchema(Connection connection, String name) throws SQLException {
    if (!isTrue(connection, IS_SCHEMA, name)) {
      create(connection, "schema " + name, List.of(Schema.createSchema(name)));
    }
  }

  private static boolean isTrue(Connection connection, Sql question, String name)
      throws SQLException {
    try (SqlStatement statement = question.on(connection)) {
      return statement.set("name", name).truth();
    }
  }

  private static void create(Connection connection, String what, List<String> sql)
      throws SQLException {
    try (Transaction transaction = Transaction.begin(connection);
        Statement statement = connection.createStatement()) {
      for (String command : sql) {
        statement.execute(command);
      }
      transaction.commit();
    } catch (SQLException e) {
      if (SqlStates.kindOf(e) == DatabaseErrorKind.RIGHTS) {
        throw new DatabaseException(
            DatabaseErrorKind.RIGHTS,
            """
            %s missing, and this role may not create it (%s); let an administrator run the output \
            of 'recorder schema'%s
            %s\
            """
                .formatted(what, SqlStates.describe(e), SQL_FOLLOWS, Schema.toRun(sql)),
            e);
      }
      throw e;
    }
  }
}
