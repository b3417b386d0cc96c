package dev.recorder.postgres.pin;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.logging.LogEvent;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads and writes the columns of a recorder's row that name its database. */
public final class DatabasePin {
  private static final Logger log = LoggerFactory.getLogger(DatabasePin.class);

  private final Sql look;
  private final Sql remember;
  private final Sql move;

  public DatabasePin(SchemaNames names) {
    this.look = Sql.in(names, LOOK);
    this.remember = Sql.in(names, REMEMBER);
    this.move = Sql.in(names, MOVE);
  }

  /** Returns the session's database. Call it outside of a transaction. */
  public static DatabaseIdentity here(Connection connection) throws SQLException {
    return DatabaseIdentityQuery.of(connection);
  }

  private static final String LOOK =
      """
      SELECT database, array_to_string(former_databases, chr(10)) FROM {lock_recorders}
      WHERE lock_id = :lock
      """;

  /**
   * Reads the session's database and the recorder's pinned ones. Without a row nothing is pinned.
   * Call it outside of a transaction.
   */
  public PinnedDatabase look(Connection connection, int lockId) throws SQLException {
    DatabaseIdentity here = DatabaseIdentityQuery.of(connection);
    try (SqlStatement statement = look.on(connection);
        ResultSet row = statement.set("lock", lockId).query()) {
      if (!row.next()) {
        return new PinnedDatabase(here, null, List.of());
      }
      String pinned = row.getString(1);
      return new PinnedDatabase(
          here,
          pinned == null ? null : DatabaseIdentity.parse(pinned).orElse(null),
          DatabaseIdentity.parseLines(row.getString(2)));
    }
  }

  private static final String REMEMBER =
      """
      UPDATE {lock_recorders} SET former_databases = former_databases || database
      WHERE lock_id = :lock AND database IS NOT NULL AND database <> ALL (former_databases)
      RETURNING recorder
      """;

  /**
   * Records the pinned database among the former ones if another has taken its place. The pin
   * itself moves with the next settled slot.
   */
  public void remember(Connection connection, int lockId, PinnedDatabase found)
      throws SQLException {
    if (found.pinned() != null && found.isNew()) {
      try (SqlStatement statement = remember.on(connection)) {
        tell(statement.set("lock", lockId), found);
      }
    }
  }

  private static final String MOVE =
      """
      UPDATE {lock_recorders} SET database = :here,
        former_databases = CASE WHEN database IS NULL OR database = ANY (former_databases)
          THEN former_databases ELSE former_databases || database END
      WHERE lock_id = :lock
      RETURNING recorder
      """;

  /** Pins the recorder to the session's database, if another one is pinned. */
  public void move(Connection connection, int lockId, PinnedDatabase found) throws SQLException {
    if (found.isNew()) {
      try (SqlStatement statement = move.on(connection)) {
        tell(
            statement.set("lock", lockId).set("here", found.here().beforeItsFirstSlot().text()),
            found);
      }
    }
  }

  /** Runs the change, and logs it if the recorder wrote from another database before. */
  private static void tell(SqlStatement change, PinnedDatabase found) throws SQLException {
    Optional<String> recorder = change.first(row -> row.getString(1));
    DatabaseIdentity before = found.pinned();
    if (recorder.isPresent() && before != null) {
      log.info(
          LogEvent.DATABASE_CHANGED,
          "recorder {} writes from database {} from now on, and wrote from {} before",
          recorder.get(),
          found.here().described(),
          before.described());
    }
  }
}
