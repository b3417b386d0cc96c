package dev.recorder.schema;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.Transaction;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The CHECK on a hand-off table that rejects payloads over {@code max_payload}. Producers see the
 * CHECK's name in the error.
 *
 * <p>It applies to new rows. Existing larger rows stay and are recorded.
 */
public final class PayloadLimit {
  public static final String NAME = "payload_within_max_payload";

  /** The default of {@code max_payload}. */
  public static final long DEFAULT_BYTES = 16 << 20;

  /**
   * Longest wait for the table's lock; a waiter for an exclusive lock blocks producers behind it.
   */
  private static final int WAIT_MILLIS = 100;

  private static final String SHORTLY =
      SqlTemplate.fill(
          "SET LOCAL lock_timeout = '{most}ms'", Map.of("most", Integer.toString(WAIT_MILLIS)));

  /**
   * The limit's part of {@code handoff.sql}: the text that identifies a definition, and the
   * statement that sets the limit.
   */
  private static final Pattern IN_SCRIPT =
      Pattern.compile("(?s)'" + NAME + "', ''\\)\\s+NOT LIKE '%(.*?)%' THEN\\s+(ALTER TABLE .*?);");

  private static final Pattern BYTES = Pattern.compile("<= \\(?([0-9]+)");

  private final String table;
  private final long bytes;
  private final String mark;
  private final String alter;

  PayloadLimit(SchemaNames names, RecorderName recorder, RecorderKind kind, long bytes) {
    this.table = names.handoffTable(recorder);
    this.bytes = bytes;
    Matcher found = IN_SCRIPT.matcher(new HandoffScript(names, recorder, kind).create(bytes));
    if (!found.find()) {
      throw new IllegalStateException("handoff.sql has no " + NAME);
    }
    this.mark = found.group(1);
    this.alter = found.group(2).replaceAll("\\s+", " ");
  }

  private static final Sql PRESENT =
      Sql.of(
          """
          SELECT pg_has_role(c.relowner, 'USAGE'),
            (SELECT pg_get_constraintdef(k.oid) FROM pg_constraint k
             WHERE k.conrelid = c.oid AND k.conname = :name)
          FROM pg_class c WHERE c.oid = :table::regclass
          """);

  /**
   * Sets the limit if the table has another one and this role owns the table.
   *
   * @return why the limit could not be set, with the remedy; empty if it is set
   */
  String apply(Connection connection) throws SQLException {
    boolean mayAlter;
    String present;
    try (SqlStatement statement = PRESENT.on(connection)) {
      ResultSet row = statement.set("name", NAME).set("table", table).query();
      row.next();
      mayAlter = row.getBoolean(1);
      String definition = Objects.requireNonNullElse(row.getString(2), "");
      if (definition.contains(mark)) {
        return "";
      }
      present = told(definition);
    }
    String why = mayAlter ? set(connection) : "this role does not own the table";
    return why.isEmpty()
        ? ""
        : """
        the file says %s bytes, table %s has %s, and %s; let its owner run, when no transaction \
        holds it for long: %s\
        """
            .formatted(bytes, table, present, why, toRun());
  }

  /** Returns the SQL for the table's owner, on one line. */
  private String toRun() {
    return Schema.toRun(List.of(SHORTLY, alter)).replace('\n', ' ');
  }

  /** Returns the limit in a constraint's definition. */
  private String told(String definition) {
    Matcher found = BYTES.matcher(definition);
    if (!found.find()) {
      return "no limit";
    }
    String present = found.group(1);
    return present.equals(Long.toString(bytes))
        ? present + " also for rows that came before it"
        : present;
  }

  private String set(Connection connection) throws SQLException {
    try {
      shortly(connection, List.of(alter));
      return "";
    } catch (SQLException e) {
      return switch (SqlStates.kindOf(e)) {
        case BUSY -> "a transaction held it for more than " + WAIT_MILLIS + " ms";
        case RIGHTS -> "this role does not own a partition of it";
        default -> throw e;
      };
    }
  }

  /** Changes a table, unless another transaction holds the table's lock. */
  public static void shortly(Connection connection, List<String> changes) throws SQLException {
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
