package dev.recorder.testing.servers;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;

/**
 * What {@code pg_dump} would have of some schemas' tables: all rows of one snapshot, with the ids
 * and transaction numbers they have, and where the sequences stand.
 *
 * <p>The servers of these tests come without {@code pg_dump}. As it does, this loads each table by
 * one COPY, and brings back constraints that are NOT VALID only afterwards.
 */
public final class Dump {
  private final Map<String, byte[]> tables = new LinkedHashMap<>();
  private final Map<String, Long> sequences = new LinkedHashMap<>();

  private Dump() {}

  /** The tables of {@code schemas} as they are now. */
  public static Dump of(TestDatabase database, String... schemas) throws SQLException {
    Dump dump = new Dump();
    try (Connection connection = database.connectAsSuperuser()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      connection.setAutoCommit(false);
      for (String table : tables(connection, schemas)) {
        dump.tables.put(table, copyOut(connection, table));
        dump.noteSequence(connection, table);
      }
      connection.rollback();
    }
    return dump;
  }

  /** Loads it into the same tables of another database, in place of what is in them. */
  public void restoreInto(TestDatabase database) throws SQLException {
    try (Connection connection = database.connectAsSuperuser()) {
      List<String> postponed = dropConstraintsThatAreNotValid(connection);
      for (Map.Entry<String, byte[]> table : tables.entrySet()) {
        execute(connection, "TRUNCATE " + table.getKey());
        copyIn(connection, table.getKey(), table.getValue());
      }
      for (Map.Entry<String, Long> sequence : sequences.entrySet()) {
        execute(
            connection, "SELECT setval('" + sequence.getKey() + "', " + sequence.getValue() + ")");
      }
      for (String constraint : postponed) {
        execute(connection, constraint);
      }
    }
  }

  /** The same without the sequences, as a replication row by row leaves them. */
  public Dump withoutSequences() {
    Dump rowsOnly = new Dump();
    rowsOnly.tables.putAll(tables);
    return rowsOnly;
  }

  private static List<String> tables(Connection connection, String... schemas) throws SQLException {
    String sql =
        "SELECT c.oid::regclass::text FROM pg_class c WHERE c.relnamespace::regnamespace::text"
            + " = ANY (?) AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY c.oid";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setArray(1, connection.createArrayOf("text", schemas));
      return strings(statement);
    }
  }

  private void noteSequence(Connection connection, String table) throws SQLException {
    String sql =
        "SELECT pg_get_serial_sequence(?, a.attname) FROM pg_attribute a"
            + " WHERE a.attrelid = ?::regclass AND a.attidentity <> ''";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, table);
      statement.setObject(2, table, java.sql.Types.OTHER);
      for (String sequence : strings(statement)) {
        try (Statement last = connection.createStatement();
            ResultSet row = last.executeQuery("SELECT last_value, is_called FROM " + sequence)) {
          row.next();
          if (row.getBoolean(2)) {
            sequences.put(sequence, row.getLong(1));
          }
        }
      }
    }
  }

  /** Drops them, and returns what adds them again. */
  private List<String> dropConstraintsThatAreNotValid(Connection connection) throws SQLException {
    List<String> again = new ArrayList<>();
    List<String> drops = new ArrayList<>();
    String sql =
        "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint"
            + " WHERE NOT convalidated AND conislocal AND coninhcount = 0";
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        String alter = "ALTER TABLE " + row.getString(1);
        drops.add(alter + " DROP CONSTRAINT " + row.getString(2));
        again.add(alter + " ADD CONSTRAINT " + row.getString(2) + " " + row.getString(3));
      }
    }
    for (String drop : drops) {
      execute(connection, drop);
    }
    return again;
  }

  private static byte[] copyOut(Connection connection, String table) throws SQLException {
    ByteArrayOutputStream rows = new ByteArrayOutputStream();
    try {
      copyManager(connection).copyOut("COPY (SELECT * FROM " + table + ") TO STDOUT", rows);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return rows.toByteArray();
  }

  private static void copyIn(Connection connection, String table, byte[] rows) throws SQLException {
    try {
      copyManager(connection)
          .copyIn("COPY " + table + " FROM STDIN", new ByteArrayInputStream(rows));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static CopyManager copyManager(Connection connection) throws SQLException {
    return new CopyManager(connection.unwrap(BaseConnection.class));
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static List<String> strings(PreparedStatement statement) throws SQLException {
    List<String> strings = new ArrayList<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        strings.add(row.getString(1));
      }
    }
    return strings;
  }
}
