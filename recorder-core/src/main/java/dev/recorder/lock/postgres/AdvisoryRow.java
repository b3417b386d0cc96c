package dev.recorder.lock.postgres;

import dev.recorder.postgres.sql.Columns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A session that holds an advisory lock, or waits for it.
 *
 * @param lockId null for a lock that is known by a name, which cannot be told from its key
 * @param key the server's key: the lockid, or the first 64 bits of a hash
 * @param recorder whose lockid it is; null if it is nobody's
 * @param granted whether the session holds it
 * @param application the session's {@code application_name}
 * @param address where the session comes from
 * @param since when the session began, or began to wait; null if this role may not know. Since when
 *     a lock is held no server says
 */
public record AdvisoryRow(
    @Nullable Integer lockId,
    long key,
    @Nullable String recorder,
    boolean granted,
    int pid,
    String application,
    String address,
    @Nullable Instant since) {
  /** The session, for people. */
  public String session() {
    return application + " from " + address + " (database session " + pid + ")";
  }

  static AdvisoryRow of(ResultSet row) throws SQLException {
    boolean pair = row.getInt("part") == 2;
    long low = row.getLong("low");
    return new AdvisoryRow(
        pair ? (int) low : null,
        pair ? low : (row.getLong("high") << Integer.SIZE) | low,
        row.getString("recorder"),
        row.getBoolean("granted"),
        row.getInt("pid"),
        row.getString("application"),
        row.getString("address"),
        Columns.instant(row, "since"));
  }
}
