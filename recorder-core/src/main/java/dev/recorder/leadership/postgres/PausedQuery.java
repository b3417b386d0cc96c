package dev.recorder.leadership.postgres;

import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.Map;

/** Reads which recorders are paused now, by the server's clock. */
public final class PausedQuery {
  private final Sql lasting;

  public PausedQuery(SchemaNames schemas) {
    this.lasting = Sql.in(schemas, LASTING);
  }

  /**
   * A pause.
   *
   * @param recorder the recorder's name
   */
  public record Lasting(String recorder, Instant until, String reason) {
    public Lasting {
      reason = reason.replaceAll("\\p{Cntrl}", "?"); // It must fit into a log line.
    }
  }

  /**
   * The latest pause of a lockid counts, if the recorder's row confirms it: the lockid may belong
   * to another recorder by now. The row is read only while a pause lasts.
   */
  private static final String LASTING =
      """
      SELECT p.lock_id, p.recorder, p.until, p.reason FROM {pauses} p
      WHERE p.until > now() AND NOT EXISTS (
        SELECT FROM {pauses} later WHERE later.lock_id = p.lock_id AND later.id > p.id)
        AND EXISTS (
          SELECT FROM {lock_recorders} r
          WHERE r.lock_id = p.lock_id AND r.recorder = p.recorder AND r.paused_until > now())
      """;

  /** Returns the present pauses by lockid. */
  public Map<Integer, Lasting> on(Connection connection) throws SQLException {
    Map<Integer, Lasting> all = new HashMap<>();
    try (SqlStatement statement = lasting.on(connection);
        ResultSet row = statement.query()) {
      while (row.next()) {
        all.put(
            row.getInt(1),
            new Lasting(
                row.getString(2),
                row.getObject(3, OffsetDateTime.class).toInstant(),
                row.getString(4)));
      }
    }
    return all;
  }
}
