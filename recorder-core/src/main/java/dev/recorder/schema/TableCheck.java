package dev.recorder.schema;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.Transaction;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A CHECK on a hand-off table, for rows to come: NOT VALID, so that a table that has others already
 * gets it, and a dump can be restored and repaired. Its name is what a producer reads in the error.
 *
 * @param mark a part of its definition that tells it from those of earlier versions
 * @param isNew whether tables of earlier versions have none; else somebody has dropped it
 */
record TableCheck(String table, String name, String check, String mark, boolean isNew) {
  /** Most bytes of a key. */
  static final int LONGEST_KEY = 8_192;

  /**
   * Longest wait for the table, in which producers wait too: whoever waits for an exclusive lock
   * stops those behind.
   */
  static final int WAIT_MILLIS = 100;

  private static final String SHORTLY =
      SqlTemplate.fill(
          "SET LOCAL lock_timeout = {most}", Map.of("most", Integer.toString(WAIT_MILLIS)));

  private static final String DUPLICATE_OBJECT = "42710";
  private static final String UNDEFINED_COLUMN = "42703";

  /**
   * Turns away rows with transaction numbers of another database. It lets in what a logical
   * replication brings, which no ordinary role can pretend to be: a subscription that fails on it
   * would fail forever. Such rows are a matter of {@code Rebase}, as those of a restored dump are.
   */
  static TableCheck ownNumbers(SchemaNames names, RecorderName recorder) {
    return new TableCheck(
        names.handoffTable(recorder),
        "xid_is_own",
        "xid = pg_current_xact_id() OR xid < '4'"
            + " OR current_setting('session_replication_role') = 'replica'",
        "session_replication_role",
        false);
  }

  /** Keeps keys from being what only payloads are bounded for. */
  static TableCheck shortKey(SchemaNames names, RecorderName recorder) {
    return atMost(names.handoffTable(recorder), "key", LONGEST_KEY);
  }

  /** Turns away ids that no object's name could hold. */
  static TableCheck shortEntity(SchemaNames names, RecorderName recorder) {
    return atMost(names.handoffTable(recorder), "entity_id", RequestTable.LONGEST_ENTITY)
        .unlessBegun();
  }

  private static TableCheck atMost(String table, String column, int bytes) {
    String atMost = "<= " + bytes;
    return new TableCheck(
        table,
        column + "_within_" + bytes + "_bytes",
        SqlTemplate.fill(
            "octet_length({column}) {at_most}", Map.of("column", column, "at_most", atMost)),
        atMost + ")",
        true);
  }

  /**
   * The same on a table of requests, for rows that nobody has touched since they were inserted. A
   * CHECK is asked at each UPDATE, too: without this a row that came before the limit could be
   * neither claimed nor settled, and would take its neighbours' settlements back with its own.
   * Whatever updates a request leaves it with {@code begun_at}, which no producer may write. One
   * column, and behind the limit: each word of a CHECK costs every INSERT something.
   */
  TableCheck unlessBegun() {
    return new TableCheck(
        table,
        name,
        SqlTemplate.fill("{check} OR begun_at IS NOT NULL", Map.of("check", check)),
        mark + " OR (begun_at",
        isNew);
  }

  /** Whether this is the definition of such a CHECK, as the server gives it. */
  boolean isIn(String definition) {
    return definition.contains(mark);
  }

  private static final String UNLESS_THERE =
      """
      DO $$ BEGIN
        IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = {table}::regclass
            AND conname = {name} AND pg_get_constraintdef(oid) LIKE {like}) THEN
          {alter};
        END IF;
      END $$""";

  /** Adds it, or replaces that of an earlier version; leaves a table alone that has it. */
  String sql() {
    return SqlTemplate.fill(
        UNLESS_THERE,
        Map.of(
            "table", Quoted.literal(table),
            "name", Quoted.literal(name),
            "like", Quoted.literal("%" + mark + "%"),
            "alter", alter()));
  }

  private static final String ALTER =
      """
      ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {name}, \
      ADD CONSTRAINT {name} CHECK ({check}) NOT VALID""";

  /** Sets it, whatever was there of its name; takes the table for an instant. */
  String alter() {
    return SqlTemplate.fill(ALTER, Map.of("table", table, "name", name, "check", check));
  }

  /**
   * Adds it, or replaces that of an earlier version, if this role owns the table and nobody holds
   * it. Recording does not need it, so nothing is said if it cannot; {@code recorder schema} does
   * it, too.
   */
  void renew(Connection connection) throws SQLException {
    if (!isOldAndOwn(connection)) {
      return;
    }
    try {
      set(connection);
    } catch (SQLException e) {
      switch (SqlStates.kindOf(e)) {
        case BUSY, RIGHTS -> {}
        default -> {
          // A partition that was attached with such a CHECK of its own keeps it; and a table of
          // another kind is refused for that.
          if (!Set.of(DUPLICATE_OBJECT, UNDEFINED_COLUMN).contains(e.getSQLState())) {
            throw e;
          }
        }
      }
    }
  }

  /** Sets it, unless somebody holds the table. */
  void set(Connection connection) throws SQLException {
    shortly(connection, List.of(alter()));
  }

  /** Changes a table, unless somebody holds it. */
  static void shortly(Connection connection, List<String> changes) throws SQLException {
    try (Transaction transaction = Transaction.begin(connection);
        Statement statement = connection.createStatement()) {
      statement.execute(SHORTLY);
      for (String change : changes) {
        statement.execute(change);
      }
      transaction.commit();
    }
  }

  private static final Sql IS_OLD_AND_OWN =
      Sql.of(
          """
          SELECT pg_has_role(c.relowner, 'USAGE')
            AND coalesce(pg_get_constraintdef(k.oid) NOT LIKE :mark, :isNew)
          FROM pg_class c
          LEFT JOIN pg_constraint k ON k.conrelid = c.oid AND k.conname = :name
          WHERE c.oid = :table::regclass
          """);

  private boolean isOldAndOwn(Connection connection) throws SQLException {
    try (SqlStatement statement = IS_OLD_AND_OWN.on(connection)) {
      return statement
          .set("mark", "%" + mark + "%")
          .set("isNew", isNew)
          .set("name", name)
          .set("table", table)
          .first(row -> row.getBoolean(1))
          .orElse(false);
    }
  }
}
