package dev.recorder.producer.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import dev.recorder.producer.NewRow;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * Hands rows over to a log in the application's own transactions: the rows take effect when their
 * transaction commits. The client never commits and never rolls back. Plain INSERTs have the same
 * effect.
 *
 * <p>Each method returns the transaction's number ({@code xid8}). Pass the number to {@link
 * RecordedWaits} after the commit. In auto-commit mode the transaction is committed when the method
 * returns.
 *
 * <p>Thread-safe. The caller owns the connections and handles their exceptions. The client works
 * with any {@code search_path}.
 */
public final class LogClient {
  /** The number of characters that COPY sends in one piece. */
  private static final int CHUNK = 1 << 16;

  private static final String APPEND =
      """
      WITH appended AS (
        INSERT INTO {table} (key, payload) VALUES (:key, :payload::pg_catalog.json))
      SELECT pg_catalog.pg_current_xact_id()
      """;

  private static final String APPEND_ALL =
      """
      WITH appended AS (
        INSERT INTO {table} (key, payload)
        SELECT r.key, r.payload::pg_catalog.json
        FROM ROWS FROM (
          pg_catalog.unnest(:keys::pg_catalog.text[]),
          pg_catalog.unnest(:payloads::pg_catalog.text[])) AS r (key, payload))
      SELECT pg_catalog.pg_current_xact_id()
      """;

  private static final Sql TRANSACTION = Sql.of("SELECT pg_catalog.pg_current_xact_id()");

  private final Sql append;
  private final Sql appendAll;
  private final String copy;

  /**
   * Makes a client for one log.
   *
   * @param handoffSchema {@code [postgredb] handoff_schema}, {@code handoff} by default
   * @param recorder the recorder's name
   * @throws IllegalArgumentException if one of these names has a wrong form
   */
  public LogClient(String handoffSchema, String recorder) {
    String table =
        new SchemaNames(SchemaNames.DEFAULT.control(), handoffSchema)
            .handoffTable(new RecorderName(recorder));
    Map<String, String> pieces = Map.of("table", table);
    this.append = Sql.of(APPEND, pieces);
    this.appendAll = Sql.of(APPEND_ALL, pieces);
    this.copy = SqlTemplate.fill("COPY {table} (key, payload) FROM STDIN", pieces);
  }

  /**
   * Hands one row over.
   *
   * @param key up to 8,192 bytes of UTF-8, or null
   * @param payload JSON
   * @return the transaction's number
   */
  public long append(Connection connection, @Nullable String key, String payload)
      throws SQLException {
    try (SqlStatement statement = append.on(connection)) {
      return statement.set("key", key).set("payload", payload).number();
    }
  }

  /**
   * Hands rows over, in this order, in one statement: either all rows or none. Use {@link #copy}
   * for more than a few thousand.
   *
   * @return the transaction's number
   * @throws IllegalArgumentException if there are no rows
   */
  public long appendAll(Connection connection, List<NewRow> rows) throws SQLException {
    if (rows.isEmpty()) {
      throw new IllegalArgumentException("no rows to append");
    }
    try (SqlStatement statement = appendAll.on(connection)) {
      return statement
          .setArray("keys", "text", rows.stream().map(NewRow::key).toArray())
          .setArray("payloads", "text", rows.stream().map(NewRow::payload).toArray())
          .number();
    }
  }

  /**
   * Hands any number of rows over, in this order, by COPY, which is the fastest way. Fetches rows
   * one by one and holds about 64 KiB of them. The transaction's number takes one more round trip.
   *
   * @return the transaction's number
   * @throws IllegalStateException in auto-commit mode, in which the returned number would be
   *     another transaction's
   */
  public long copy(Connection connection, Iterator<NewRow> rows) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "COPY in auto-commit mode: its transaction could not be named; setAutoCommit(false)");
    }
    CopyIn in = connection.unwrap(PGConnection.class).getCopyAPI().copyIn(copy);
    try {
      send(in, rows);
      in.endCopy();
    } finally {
      if (in.isActive()) {
        in.cancelCopy();
      }
    }
    try (SqlStatement statement = TRANSACTION.on(connection)) {
      return statement.number();
    }
  }

  private static void send(CopyIn in, Iterator<NewRow> rows) throws SQLException {
    StringBuilder text = new StringBuilder(CHUNK);
    while (rows.hasNext()) {
      CopyText.append(text, rows.next());
      if (text.length() >= CHUNK) {
        write(in, text);
      }
    }
    write(in, text);
  }

  private static void write(CopyIn in, StringBuilder text) throws SQLException {
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    in.writeToCopy(bytes, 0, bytes.length);
    text.setLength(0);
  }
}
