package dev.recorder.replay.postgres;

import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.replay.ReplayException;
import dev.recorder.replay.ReplayException.ReplayErrorKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/**
 * Refuses a table to which tables of untrusted roles refer by foreign keys. A cascade queues the
 * triggers of the referring table, and servers before PostgreSQL 18 run these triggers as the role
 * that deletes the referenced row. A role needs only the right REFERENCES to create such a foreign
 * key.
 */
final class ForeignKeysOfOthers {
  private ForeignKeysOfOthers() {}

  /**
   * SQL expression: describes such a foreign key of the table {@code c} of {@code pg_class}, or of
   * a table that the table's foreign keys change in turn; NULL if there is none. Partitions have
   * constraints of their own, so that their owners are looked at, too.
   */
  static final String FOUND =
      """
      (WITH RECURSIVE reached AS (
              SELECT c.oid WHERE c.relhastriggers
              UNION
              SELECT f.conrelid FROM reached r JOIN pg_constraint f ON f.confrelid = r.oid
              WHERE f.contype = 'f' AND (f.confdeltype IN ('c', 'n', 'd')
                OR f.confupdtype IN ('c', 'n', 'd')))
            SELECT format('foreign key %I of table %s of role %I, which refers to %s'
                ' (ALTER TABLE %2$s DROP CONSTRAINT %1$I; REVOKE REFERENCES ON %4$s FROM %3$I)',
                f.conname, f.conrelid::regclass, pg_get_userbyid(w.relowner), r.oid::regclass)
            FROM reached r JOIN pg_constraint f ON f.confrelid = r.oid AND f.contype = 'f'
              JOIN pg_class w ON w.oid = f.conrelid
            WHERE NOT pg_has_role(w.relowner, current_user, 'USAGE')
            ORDER BY 1 LIMIT 1)""";

  private static final Sql OF_TABLE =
      Sql.of(
          "SELECT {found} FROM pg_class c WHERE c.oid = to_regclass(:table)",
          Map.of("found", FOUND));

  /**
   * Throws if there is such a foreign key. Must be called with a lock on the table, which prevents
   * new foreign keys while it is held.
   */
  static void refuse(Connection connection, LoggedTable table) throws SQLException {
    try (SqlStatement statement = OF_TABLE.on(connection)) {
      Optional<String> found =
          statement
              .set("table", table.quoted())
              .all(row -> Optional.ofNullable(row.getString(1)))
              .stream()
              .flatMap(Optional::stream)
              .findFirst();
      if (found.isPresent()) {
        throw new ReplayException(
            ReplayErrorKind.OTHERS,
            """
            table %s has the %s: triggers of that table could run with the rights of this role; \
            drop it, or make its owner a member of this role, and replay again\
            """
                .formatted(table, found.get()));
      }
    }
  }
}
