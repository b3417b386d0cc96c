package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.RawRow;
import dev.recorder.postgres.sql.SqlTemplate;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyOut;

/**
 * Reads the rows of a statement, sent by {@code COPY … TO STDOUT (FORMAT binary)}, one at a time.
 * The driver holds only one row, whatever the number and size of rows. The columns are id, xid,
 * time, key and payload.
 *
 * <p>Must be closed before the session can be used again. Closing skips the rows that were not
 * read, or cancels the statement if that takes too long.
 *
 * <p><a href="https://www.postgresql.org/docs/current/sql-copy.html">The format</a> has a header,
 * rows and a trailer. A row has the number of fields, then each field with its length in front.
 */
final class BinaryCopy implements AutoCloseable {
  private static final int SIGNATURE = 11;
  private static final int END_OF_ROWS = -1;
  private static final int FIELDS = 5;

  /**
   * The most bytes that are skipped rather than cancelled. Each row counts as {@value #ROW_COST}
   * bytes more.
   */
  private static final long MOST_TO_PASS = 1 << 20;

  private static final int ROW_COST = 100;

  private static final String QUERY_CANCELED = "57014";
  private static final String DATATYPE_MISMATCH = "42804";

  private final PGConnection connection;
  private final CopyOut copy;
  private ByteBuffer message;

  BinaryCopy(Connection connection, String select) throws SQLException {
    this.connection = connection.unwrap(PGConnection.class);
    this.copy =
        this.connection
            .getCopyAPI()
            .copyOut(
                SqlTemplate.fill(
                    "COPY ({query}) TO STDOUT (FORMAT binary)", Map.of("query", select)));
    this.message = ByteBuffer.allocate(0);
    if (read()) {
      message.position(SIGNATURE + Integer.BYTES);
      int extension = message.getInt();
      message.position(message.position() + extension);
    }
  }

  /**
   * Returns the next row, or null after the last. A row without payload has the payload length -1.
   */
  @Nullable RawRow next() throws SQLException, UnrecordableRowException {
    while (!message.hasRemaining()) {
      if (!read()) {
        return null;
      }
    }
    short fields = message.getShort();
    if (fields == END_OF_ROWS) {
      return null;
    }
    if (fields != FIELDS) {
      throw changed("a row has %d columns, not %d".formatted(fields, FIELDS));
    }
    long id = number("id");
    long xid = number("xid");
    long time = number("time");
    if (time > BinaryRows.LATEST || time == Long.MIN_VALUE) {
      throw new UnrecordableRowException(
          xid, id, "its time is infinite, or later than an object can name; give it another");
    }
    int keyLength = message.getInt();
    int keyAt = message.position();
    message.position(keyAt + Math.max(0, keyLength));
    int payloadLength = message.getInt();
    int payloadAt = message.position();
    message.position(payloadAt + Math.max(0, payloadLength));
    return new RawRow(
        id,
        xid,
        time + BinaryRows.EPOCH_MICROS,
        message.array(),
        keyAt,
        keyLength,
        payloadAt,
        payloadLength);
  }

  private long number(String column) throws SQLException {
    int length = message.getInt();
    if (length != Long.BYTES) {
      throw changed("column %s has %d bytes, not %d".formatted(column, length, Long.BYTES));
    }
    return message.getLong();
  }

  /**
   * Makes the failure for a table whose columns were changed. This is a condition of the database,
   * not a bug.
   */
  private static SQLException changed(String how) {
    return new SQLException(how, DATATYPE_MISMATCH);
  }

  private boolean read() throws SQLException {
    byte[] bytes = copy.isActive() ? copy.readFromCopy() : null;
    if (bytes == null) {
      return false;
    }
    message = ByteBuffer.wrap(bytes);
    return true;
  }

  /**
   * Skips the rest, or cancels the statement. A short rest is read faster than cancelled, as
   * cancelling takes a connection. The driver's own cancelling of a COPY leaves the session out of
   * step, so this cancels the statement and reads to its end.
   */
  @Override
  public void close() throws SQLException {
    if (!passesWithin(MOST_TO_PASS)) {
      connection.cancelQuery();
      try {
        passesWithin(Long.MAX_VALUE);
      } catch (SQLException e) {
        if (!QUERY_CANCELED.equals(e.getSQLState())) {
          throw e;
        }
      }
    }
  }

  /** Skips the rest, up to {@code bytes}. Returns false if there is more. */
  private boolean passesWithin(long bytes) throws SQLException {
    for (long passed = 0; copy.isActive() && passed < bytes; passed += ROW_COST) {
      byte[] unread = copy.readFromCopy();
      passed += unread == null ? 0 : unread.length;
    }
    return !copy.isActive();
  }
}
