package dev.recorder.operate.site;

import dev.recorder.handoff.Position;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Snapshot;
import dev.recorder.operate.site.RecorderStatus.Backlog;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.slotlog.postgres.SlotStatements;
import dev.recorder.slotlog.postgres.WaitingRows;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts rows and requests that wait. Each query uses a row of {@link StatusQueries}: its lockid,
 * kind, position, and the snapshot of the moment.
 */
final class BacklogQueries {
  private final SchemaNames schemas;

  BacklogQueries(SchemaNames schemas) {
    this.schemas = schemas;
  }

  /**
   * Returns when the transaction began that inserted the next waiting row; null if no row waits.
   */
  @Nullable Instant oldest(ResultSet row, Connection connection, RecorderName name)
      throws SQLException {
    if (!row.getString("kind").equals(RecorderKind.LOG.word())) {
      return oldestRequest(connection, name);
    }
    WaitingRows waiting = new WaitingRows(schemas, name, row.getInt("lock_id"));
    Position position = SlotStatements.position(row);
    Snapshot open = position.open();
    Instant first = open == null ? null : waiting.first(connection, position, open);
    return first != null
        ? first
        : waiting.first(
            connection,
            open == null ? position : Position.doneUpTo(open),
            Snapshot.parse(row.getString("now_snapshot")));
  }

  private static final String OLDEST_REQUEST =
      """
      SELECT created_at FROM {table} WHERE request_status = 'new' ORDER BY id LIMIT 1
      """;

  private @Nullable Instant oldestRequest(Connection connection, RecorderName recorder)
      throws SQLException {
    Sql sql = Sql.of(OLDEST_REQUEST, Map.of("table", schemas.handoffTable(recorder)));
    try (SqlStatement statement = sql.on(connection)) {
      return statement
          .first(found -> found.getObject(1, OffsetDateTime.class).toInstant())
          .orElse(null);
    }
  }

  /** Counts waiting rows or requests, up to {@code upTo}. */
  Backlog of(ResultSet row, Connection connection, RecorderName name, int upTo)
      throws SQLException {
    boolean isLog = row.getString("kind").equals(RecorderKind.LOG.word());
    int waiting =
        isLog ? rows(row, connection, name, upTo + 1) : requests(connection, name, upTo + 1);
    return new Backlog(Math.min(waiting, upTo), waiting > upTo);
  }

  /**
   * Counts rows beyond the position: the rest of the open window, then later rows. Both counts
   * begin in the index where the recorded rows end.
   */
  private int rows(ResultSet row, Connection connection, RecorderName name, int most)
      throws SQLException {
    WaitingRows waiting = new WaitingRows(schemas, name, row.getInt("lock_id"));
    Position position = SlotStatements.position(row);
    Snapshot now = Snapshot.parse(row.getString("now_snapshot"));
    Snapshot open = position.open();
    int rows = 0;
    if (open != null) {
      rows = waiting.count(connection, position, open, most);
      position = Position.doneUpTo(open);
    }
    return rows < most ? rows + waiting.count(connection, position, now, most - rows) : rows;
  }

  private static final String WAITING_REQUESTS =
      """
      SELECT count(*) FROM (SELECT FROM {table} WHERE request_status = 'new' LIMIT :limit) waiting
      """;

  /** Counts waiting requests. */
  private int requests(Connection connection, RecorderName recorder, int most) throws SQLException {
    Sql sql = Sql.of(WAITING_REQUESTS, Map.of("table", schemas.handoffTable(recorder)));
    try (SqlStatement statement = sql.on(connection)) {
      return (int) statement.set("limit", most).number();
    }
  }
}
