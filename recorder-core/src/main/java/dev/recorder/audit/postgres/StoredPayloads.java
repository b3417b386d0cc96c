package dev.recorder.audit.postgres;

import dev.recorder.handoff.KeptRow;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.slotlog.postgres.BinaryRows;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyOut;

/**
 * Rows of a {@code COPY} whose payloads come in pieces. A row comes as several successive rows that
 * differ only in the piece; only the last piece is shorter than a whole one. For one thread.
 */
final class StoredPayloads implements KeptRow.Payload {
  private final CopyOut copy;
  private final int pieceBytes;
  private final BinaryRows rows = new BinaryRows();
  private boolean unread;
  private boolean last = true;

  StoredPayloads(CopyOut copy, int pieceBytes) {
    this.copy = copy;
    this.pieceBytes = pieceBytes;
  }

  /** Returns the next row, and skips unread pieces of the previous one; null if there is none. */
  @Nullable KeptRow row() throws SQLException {
    while (!last) {
      advance();
    }
    byte[] message = copy.readFromCopy();
    while (message != null && !rows.read(message)) {
      message = copy.readFromCopy(); // The last message is not a row; the end follows it.
    }
    if (message == null) {
      return null;
    }
    arrived();
    KeptRow first = rows.row();
    return new KeptRow(
        first.id(), first.xid(), first.timeMicros(), first.excludedBy(), first.key(), this);
  }

  @Override
  public @Nullable ByteBuffer next() {
    try {
      if (!unread && !last) {
        advance();
      }
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
    if (!unread) {
      return null;
    }
    unread = false;
    return rows.payload();
  }

  private void advance() throws SQLException {
    byte[] message = copy.readFromCopy();
    if (message == null || !rows.read(message)) {
      throw new IllegalStateException("the last piece of row " + rows.row().id() + " is missing");
    }
    arrived();
  }

  private void arrived() {
    unread = true;
    last = rows.payload().remaining() < pieceBytes;
  }
}
