package dev.recorder.capture.postgres.catalog;

import dev.recorder.capture.TableName;
import dev.recorder.capture.postgres.Captures;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** The right TRIGGER, which the role that sets a capture up needs on the capture's tables. */
final class TriggerRight {
  private TriggerRight() {}

  private static final Sql MAY_TRIGGER =
      Sql.of("SELECT has_table_privilege(:table::regclass, 'TRIGGER'), current_user");

  /**
   * Checks that this role has the right on all relations.
   *
   * @throws DatabaseException with kind RIGHTS and the SQL to run, if this role lacks the right
   */
  static void require(Connection connection, List<TableName> relations) throws SQLException {
    for (TableName relation : relations) {
      try (SqlStatement statement = MAY_TRIGGER.on(connection)) {
        ResultSet row = statement.set("table", relation.quoted()).query();
        row.next();
        if (!row.getBoolean(1)) {
          throw new DatabaseException(
              DatabaseErrorKind.RIGHTS,
              "role %s has not the right TRIGGER on table %s: let its owner run GRANT TRIGGER ON %s TO \"%s\", or an administrator "
                      .formatted(row.getString(2), relation, relation.quoted(), row.getString(2))
                  + Captures.PRINTED);
        }
      }
    }
  }
}
