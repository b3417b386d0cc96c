package dev.recorder.capture.postgres.snapshot;

import dev.recorder.capture.postgres.catalog.RefusedCaptureException;
import dev.recorder.postgres.sql.SqlTemplate;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/**
 * Hands over the rows of a table without a key, in one transaction. Without a key, a row of the
 * snapshot cannot be matched with a captured change of that row. So the table's writers wait
 * meanwhile, and the transaction must be short.
 */
final class KeylessSnapshot {
  private static final String CANCELLED = "57014";
  private static final int ATTEMPTS = 3;

  private final SnapshotSession session;
  private final SnapshotSource source;
  private final SnapshotBook book;
  private int cancelled;

  KeylessSnapshot(SnapshotSession session, SnapshotSource source, SnapshotBook book) {
    this.session = session;
    this.source = source;
    this.book = book;
  }

  /**
   * Hands over all rows. Returns false if the table or its capture has changed, so that both must
   * be read again.
   */
  boolean run() throws SQLException, RefusedCaptureException, InterruptedException {
    return session.transact(SnapshotSession.CHUNK_LIMIT, source::isAsRead, this::whole).isPresent();
  }

  private Optional<Integer> whole() throws SQLException, RefusedCaptureException {
    session.run(
        SqlTemplate.fill(
            "LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE",
            Map.of("table", source.name().quoted())));
    if (!session.has(source)) {
      return Optional.empty();
    }
    session.requireOwnCode(source, source.oid());
    long begun;
    int rows;
    try {
      begun = session.number(source.statements().columnsOf(source.name()));
      session.run(source.statements().emptied());
      rows = session.run(source.statements().whole(source.name()));
    } catch (SQLException e) {
      if (CANCELLED.equals(e.getSQLState()) && ++cancelled == ATTEMPTS) {
        throw new RefusedCaptureException(
            "table %s has no key, so that its writers have to wait while its rows are handed over, and that takes longer than %d ms: give it a primary key"
                .formatted(source.name(), SnapshotSession.CHUNK_LIMIT.toMillis()));
      }
      throw e;
    }
    boolean isAsItWas = book.begin(source, begun) && book.end(begun, source.fingerprint(), rows);
    return isAsItWas ? Optional.of(rows) : Optional.empty();
  }
}
