package dev.recorder.replay.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.Transaction;
import dev.recorder.postgres.holders.AdvisoryLockKey;
import dev.recorder.postgres.holders.LockHolders;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.replay.ReplayException;
import dev.recorder.replay.ReplayException.ReplayErrorKind;
import dev.recorder.replay.ReplayPosition;
import dev.recorder.slotlog.WindowPart;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The replays' own tables in the target, in a schema of their own: the position of each log, and
 * the tables that replays have made. Also the lock with which one session at a time replays a log.
 */
final class ReplayMetadata {
  private final Connection connection;
  private final TargetPrivileges rights;
  private final RecorderName recorder;
  private final UUID log;
  private boolean areOurs;

  ReplayMetadata(Connection connection, TargetPrivileges rights, RecorderName recorder, UUID log) {
    this.connection = connection;
    this.rights = rights;
    this.recorder = recorder;
    this.log = log;
  }

  /**
   * Takes the lock, which ends with the session. Waits a little: the session of a killed process
   * keeps the lock until the server notices.
   */
  void lock() throws SQLException {
    try (Transaction transaction = Transaction.begin(connection);
        SqlStatement patience = PATIENCE.on(connection);
        SqlStatement lock = LOCK.on(connection)) {
      patience.first(row -> row.getString(1));
      lock.set("recorder", recorder.value()).first(row -> row.getString(1));
      transaction.commit();
    } catch (SQLException e) {
      if (SqlStates.WAITED_FOR_LOCK.equals(e.getSQLState())) {
        throw new ReplayException(
            ReplayErrorKind.BUSY,
            "another session replays %s into this database, or has the lock of that%s; try again when that has ended"
                .formatted(recorder, holder()));
      }
      throw e;
    }
  }

  private static final String CLASS = "('x' || left(md5('recorder_replay'), 8))::bit(32)::integer";

  private static final Sql KEY =
      Sql.of(
          "SELECT {class}, ('x' || left(md5(:recorder), 8))::bit(32)::integer",
          Map.of("class", CLASS));

  /**
   * Returns the lock's holder as the end of a message, beginning with a colon; empty if the lock is
   * free now.
   */
  private String holder() throws SQLException {
    try (SqlStatement statement = KEY.on(connection)) {
      AdvisoryLockKey key =
          statement
              .set("recorder", recorder.value())
              .first(row -> AdvisoryLockKey.ofPair("the replay", row.getInt(1), row.getInt(2)))
              .orElseThrow();
      return LockHolders.of(connection, key).map(holder -> ": " + holder).orElse("");
    }
  }

  private static final Sql PATIENCE = Sql.of("SELECT set_config('lock_timeout', '3s', true)");

  private static final Sql LOCK =
      Sql.of(
          """
          SELECT pg_advisory_lock({class}, ('x' || left(md5(:recorder), 8))::bit(32)::integer)::text
          """,
          Map.of("class", CLASS));

  private static final Sql TABLES =
      Sql.of(
          """
          SELECT pg_advisory_xact_lock({class}, 0);
          CREATE SCHEMA IF NOT EXISTS recorder_replay;
          CREATE TABLE IF NOT EXISTS recorder_replay.positions (
            recorder text PRIMARY KEY,
            log uuid NOT NULL,
            next_slot bigint NOT NULL,
            window_from text,
            window_to text,
            window_ends boolean,
            update_time timestamptz NOT NULL);
          CREATE TABLE IF NOT EXISTS recorder_replay.tables (
            name text PRIMARY KEY,
            recorder text NOT NULL,
            columns text NOT NULL,
            relation regclass,
            left_columns text[],
            aside text);
          CREATE TABLE IF NOT EXISTS recorder_replay.snapshots (
            name text PRIMARY KEY,
            begun bigint NOT NULL,
            seen text NOT NULL)
          """,
          Map.of("class", CLASS));

  /**
   * The schema's owner must be a role that may act as this one, so that no other role can rename,
   * drop or grant the schema.
   */
  private static final Sql TABLES_ARE_THERE =
      Sql.of(
          """
          SELECT EXISTS (
            SELECT FROM pg_namespace n JOIN pg_class c ON c.relnamespace = n.oid
            WHERE n.nspname = 'recorder_replay' AND c.relname = 'snapshots'
              AND pg_has_role(n.nspowner, current_user, 'USAGE'))
          """);

  void makeTables() throws SQLException {
    if (hasTables()) {
      return;
    }
    try (Transaction transaction = Transaction.begin(connection);
        Statement statement = connection.createStatement()) {
      statement.execute(TABLES.text());
      if (!hasTables()) {
        throw new ReplayException(
            ReplayErrorKind.BUSY,
            "another session changes schema recorder_replay of the target; try again");
      }
      transaction.commit();
    }
  }

  /**
   * Returns whether the tables exist. Refuses tables of other roles, which may have been created
   * since the session was opened, before reading any.
   */
  private boolean hasTables() throws SQLException {
    if (!areOurs) {
      boolean areThere;
      try (SqlStatement there = TABLES_ARE_THERE.on(connection)) {
        areThere = there.truth();
      }
      rights.checkBooks();
      areOurs = areThere;
    }
    return areOurs;
  }

  private static final Sql POSITION =
      Sql.of(
          """
          SELECT log::text, next_slot, window_from, window_to, window_ends
          FROM recorder_replay.positions WHERE recorder = :recorder
          """);

  /** Returns the position of this log; empty if it was never replayed here. */
  Optional<ReplayPosition> position() throws SQLException {
    if (!hasTables()) {
      return Optional.empty();
    }
    try (SqlStatement statement = POSITION.on(connection)) {
      return statement.set("recorder", recorder.value()).first(this::position);
    }
  }

  private ReplayPosition position(ResultSet row) throws SQLException {
    UUID there = UUID.fromString(row.getString(1));
    if (!there.equals(log)) {
      throw new ReplayException(
          ReplayErrorKind.OTHERS,
          """
          this database has tables of recorder %s out of another log (%s, this bucket has %s); \
          replay into another database\
          """
              .formatted(recorder, there, log));
    }
    String from = row.getString(3);
    WindowPart window =
        from == null ? null : new WindowPart(from, row.getString(4), row.getBoolean(5));
    return new ReplayPosition(row.getLong(2), window);
  }

  private static final Sql NOTE =
      Sql.of(
          """
          INSERT INTO recorder_replay.positions AS p (recorder, log, next_slot, window_from,
            window_to, window_ends, update_time)
          VALUES (:recorder, :log::uuid, :next, :from, :to, :ends::boolean, clock_timestamp())
          ON CONFLICT (recorder) DO UPDATE SET next_slot = EXCLUDED.next_slot,
            window_from = EXCLUDED.window_from, window_to = EXCLUDED.window_to,
            window_ends = EXCLUDED.window_ends, update_time = EXCLUDED.update_time
          WHERE p.log = EXCLUDED.log AND p.next_slot = :before
          """);

  /** Moves the position from its previous value, in the transaction that applies the changes. */
  void note(long before, ReplayPosition next) throws SQLException {
    WindowPart window = next.window();
    try (SqlStatement statement = NOTE.on(connection)) {
      statement
          .set("recorder", recorder.value())
          .set("log", log.toString())
          .set("next", next.nextSlot())
          .set("from", window == null ? null : window.from())
          .set("to", window == null ? null : window.to())
          .set("ends", window == null ? null : Boolean.toString(window.ends()))
          .set("before", before);
      if (statement.update() != 1) {
        throw new ReplayException(
            ReplayErrorKind.BUSY,
            "another session has replayed %s meanwhile; try again".formatted(recorder));
      }
    }
  }

  private static final Sql OWNER =
      Sql.of("SELECT recorder FROM recorder_replay.tables WHERE name = :name");

  /** The recorder whose replay has made the table; null if none has. */
  @Nullable String owner(LoggedTable table) throws SQLException {
    try (SqlStatement statement = OWNER.on(connection)) {
      return statement.set("name", table.toString()).first(row -> row.getString(1)).orElse(null);
    }
  }

  private static final Sql OWN =
      Sql.of(
          """
          INSERT INTO recorder_replay.tables (name, recorder, columns, relation)
          VALUES (:name, :recorder, :columns, to_regclass(:table))
          """);

  /**
   * Records that this log's replay has made the table. The relation is stored as {@code regclass}.
   * A dump contains its name, so after a restore the entry refers to the restored table.
   *
   * @param columns payload of the row that defines the columns
   */
  void own(LoggedTable table, String columns) throws SQLException {
    try (SqlStatement statement = OWN.on(connection)) {
      statement
          .set("name", table.toString())
          .set("recorder", recorder.value())
          .set("columns", columns)
          .set("table", table.quoted())
          .update();
    }
  }

  private static final Sql CHANGED =
      Sql.of("UPDATE recorder_replay.tables SET columns = :columns WHERE name = :name");

  /** Records the payload that defines the table from now on. */
  void noteColumns(LoggedTable table, String columns) throws SQLException {
    try (SqlStatement statement = CHANGED.on(connection)) {
      statement.set("name", table.toString()).set("columns", columns).update();
    }
  }

  private static final Sql COLUMNS =
      Sql.of(
          """
          SELECT columns FROM recorder_replay.tables WHERE name = :name
            AND columns::json ->> 'relation' IS NOT DISTINCT FROM :payload::json ->> 'relation'
          """);

  /**
   * Returns the payload that defines the table, if it is of the same source relation as the new
   * row. Column numbers of another relation would not match the new row.
   *
   * @param payload of the new row
   */
  String columns(LoggedTable table, String payload) throws SQLException {
    try (SqlStatement statement = COLUMNS.on(connection)) {
      return statement
          .set("name", table.toString())
          .set("payload", payload)
          .first(row -> row.getString(1))
          .orElse("{}");
    }
  }

  private static final Sql NOTED =
      Sql.of("SELECT columns FROM recorder_replay.tables WHERE name = :name");

  /** Returns the payload that defines the table. */
  String columns(LoggedTable table) throws SQLException {
    try (SqlStatement statement = NOTED.on(connection)) {
      return statement.set("name", table.toString()).first(row -> row.getString(1)).orElse("{}");
    }
  }

  boolean isOurs(LoggedTable table) throws SQLException {
    return recorder.value().equals(owner(table));
  }

  /** Returns the failure for a missing table of this log. */
  ReplayException gone(LoggedTable table) {
    return new ReplayException(
        ReplayErrorKind.OTHERS,
        "table %s is gone, which a replay had made; replay into another database".formatted(table));
  }

  /** Returns the failure for a table of this name that is not this log's. */
  ReplayException others(LoggedTable table) throws SQLException {
    String owner = owner(table);
    String whose = "which no replay has made";
    if (recorder.value().equals(owner)) {
      whose = "which has been made anew, or given to another role, since a replay made it";
    } else if (owner != null) {
      whose = "which is made out of the log of " + owner;
    }
    return new ReplayException(
        ReplayErrorKind.OTHERS,
        "this database has a table %s already, %s; replay into another database"
            .formatted(table, whose));
  }
}
