package dev.recorder.schema;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.SchemaNames;
import dev.recorder.postgres.Sql;
import dev.recorder.postgres.SqlStatement;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.Transaction;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The CHECK on a hand-off table that turns away payloads over {@code max_payload}. Its name is what
 * a producer reads in the error.
 *
 * <p>It holds for rows to come. Rows that are there already stay, and are recorded.
 */
public final class PayloadLimit {
  public static final String NAME = "payload_within_max_payload";

  /**
   * Longest wait for the table, in which producers wait too: whoever waits for an exclusive lock
   * stops those behind.
   */
  private static final int WAIT_MILLIS = 100;

  private static final Pattern BYTES = Pattern.compile("<= \\(?([0-9]+)");

  private final String table;
  private final long bytes;

  PayloadLimit(SchemaNames names, RecorderName recorder, long bytes) {
    this.table = names.handoffTable(recorder);
    this.bytes = bytes;
  }

  /** Sets the limit whatever it was before; takes the table for an instant. */
  private String alter() {
    return "ALTER TABLE %1$s DROP CONSTRAINT IF EXISTS %2$s, ADD CONSTRAINT %2$s %3$s NOT VALID"
        .formatted(table, NAME, check());
  }

  private String check() {
    return "CHECK (octet_length(payload::text) <= " + bytes + ")";
  }

  /** The same, leaving a table alone that has this limit already. */
  String sql() {
    return """
        DO $$ BEGIN
          IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = '%s'::regclass
              AND conname = '%s' AND pg_get_constraintdef(oid) LIKE '%%<= %d)%%') THEN
            %s;
          END IF;
        END $$"""
        .formatted(table, NAME, bytes, alter());
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
   * Sets the limit if the table has another and this role owns it.
   *
   * @return why it could not be set, and the remedy; empty if it is set
   */
  String apply(Connection connection) throws SQLException {
    boolean mayAlter;
    String present;
    try (SqlStatement statement = PRESENT.on(connection)) {
      ResultSet row = statement.set("name", NAME).set("table", table).query();
      row.next();
      mayAlter = row.getBoolean(1);
      present = bytesOf(row.getString(2));
    }
    if (present.equals(Long.toString(bytes))) {
      return "";
    }
    String why = mayAlter ? alter(connection) : "this role does not own the table";
    return why.isEmpty()
        ? ""
        : """
        the file says %s bytes, table %s has %s, and %s; let its owner run, when no transaction \
        holds it for long: %s"""
            .formatted(bytes, table, present.isEmpty() ? "no limit" : present, why, toRun());
  }

  /** For its owner to run, on one line. */
  private String toRun() {
    String wait = "SET LOCAL lock_timeout = '" + WAIT_MILLIS + "ms'";
    return Schema.toRun(List.of(wait, alter())).replace('\n', ' ');
  }

  /** The limit in a constraint's definition; empty if there is none. */
  private static String bytesOf(@Nullable String definition) {
    Matcher found = BYTES.matcher(definition == null ? "" : definition);
    return found.find() ? found.group(1) : "";
  }

  private String alter(Connection connection) throws SQLException {
    try (Transaction transaction = Transaction.begin(connection);
        Statement statement = connection.createStatement()) {
      statement.execute("SET LOCAL lock_timeout = " + WAIT_MILLIS);
      statement.execute(alter());
      transaction.commit();
      return "";
    } catch (SQLException e) {
      return switch (SqlStates.kindOf(e)) {
        case BUSY -> "a transaction held it for more than " + WAIT_MILLIS + " ms";
        case RIGHTS -> "this role does not own a partition of it";
        default -> throw e;
      };
    }
  }
}
