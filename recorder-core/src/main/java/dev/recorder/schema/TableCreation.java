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

/** Creates missing tables where this role may, and otherwise names the SQL to run. */
final class TableCreation {
  private final SchemaNames names;
  private final Schema schema;

  TableCreation(SchemaNames names) {
    this.names = names;
    this.schema = new Schema(names);
  }

  private static final Sql ARE_THERE =
      Sql.of(
          """
          SELECT to_regnamespace(:handoff) IS NOT NULL AND cardinality(:names::text[]) = (
            SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = :control AND c.relname = ANY (:names::text[]))
          """);

  boolean isControlThere(Connection connection) throws SQLException {
    try (SqlStatement statement = ARE_THERE.on(connection)) {
      return statement
          .set("control", names.control())
          .set("handoff", names.handoff())
          .setArray("names", "text", ControlScript.relations().toArray())
          .truth();
    }
  }

  void createControl(Connection connection) throws SQLException {
    create(connection, "tables of schema " + names.control(), schema.control());
    if (areProducersThere(connection)) {
      create(connection, "rights of " + Schema.PRODUCERS, schema.producers());
    }
  }

  private static final Sql IS_ROLE =
      Sql.of("SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = :name)");

  void createHandoff(Connection connection, HandoffTable table) throws SQLException {
    String name = names.handoffTable(table.recorder());
    if (ServerQueries.exists(connection, name)) {
      return;
    }
    create(connection, name, table.create(names));
    if (areProducersThere(connection)) {
      create(connection, "rights of " + Schema.PRODUCERS, schema.producerGrants(table));
    }
  }

  private static boolean areProducersThere(Connection connection) throws SQLException {
    try (SqlStatement statement = IS_ROLE.on(connection)) {
      return statement.set("name", Schema.PRODUCERS).truth();
    }
  }

  private static void create(Connection connection, String what, String sql) throws SQLException {
    try (Transaction transaction = Transaction.begin(connection);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
      transaction.commit();
    } catch (SQLException e) {
      if (SqlStates.kindOf(e) == DatabaseErrorKind.RIGHTS) {
        throw new DatabaseException(
            DatabaseErrorKind.RIGHTS,
            """
            %s missing, and this role may not create it (%s); let an administrator run the output \
            of 'recorder schema'\
            """
                .formatted(what, SqlStates.describe(e)),
            e);
      }
      throw e;
    }
  }
}
