package dev.recorder.schema;

import dev.recorder.handoff.ChangeMark;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.Transaction;
import dev.recorder.postgres.sql.Quoted;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.SqlTemplate;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;

/**
 * A CHECK on a hand-off table, for rows to come: NOT VALID, so that a table that has others already
 * gets it, and a dump can be restored and repaired. Its name is what a producer reads in the error.
 *
 * @param mark a part of its definition that tells whether it has this limit
 */
record TableCheck(String table, String name, String check, String mark) {
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

  /**
   * Turns away rows with transaction numbers of another database. It lets in what a logical
   * replication brings, which no ordinary role can pretend to be: a subscription that fails on it
   * would fail forever. Such rows are a matter of {@code Rebase}, as those of a restored dump are.
   */
  static TableCheck ownNumbers(SchemaNames names, RecorderName recorder) {
    return ofFew(names, recorder, "xid_is_own", "xid = pg_current_xact_id()", "may_renumber(xid)");
  }

  /**
   * Turns away captured changes of whoever may not number them: only who may use the sequence of
   * captures writes some. What a logical replication brings is let in, as above.
   */
  static TableCheck onlyCaptures(SchemaNames names, RecorderName recorder) {
    String begins = "NOT starts_with(payload::text, " + Quoted.literal(ChangeMark.BEGINNING) + ")";
    String asked = "may_write_change(" + Quoted.literal(recorder.value()) + ", payload)";
    return ofFew(names, recorder, "only_captures_write_changes", begins, asked);
  }

  /**
   * What few rows have to be asked is asked by a function of the control schema: the server reads
   * the text of each check anew for every statement, so that each word here costs producers.
   */
  private static TableCheck ofFew(
      SchemaNames names, RecorderName recorder, String name, String most, String few) {
    return new TableCheck(
        names.handoffTable(recorder),
        name,
        most + " OR " + names.table(few),
        few.substring(0, few.indexOf('(')));
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
        atMost + ")");
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
        mark + " OR (begun_at");
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
      END $$\
      """;

  /** Adds it, or replaces one with another limit; leaves a table alone that has it. */
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
      ADD CONSTRAINT {name} CHECK ({check}) NOT VALID\
      """;

  /** Sets it, whatever was there of its name; takes the table for an instant. */
  String alter() {
    return SqlTemplate.fill(ALTER, Map.of("table", table, "name", name, "check", check));
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
}
