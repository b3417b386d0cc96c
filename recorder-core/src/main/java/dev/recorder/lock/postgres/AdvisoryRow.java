package dev.recorder.lock.postgres;

import dev.recorder.postgres.sql.Columns;
import dev.recorder.postgres.sql.SchemaNames;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A session that holds an advisory lock, or waits for it.
 *
 * @param lockId null for a lock that is known by a name
 * @param name what that is, if a holder has written it down; null else
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
    @Nullable String name,
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

  /** Of a lock that was asked for by this name. */
  AdvisoryRow named(String known) {
    return new AdvisoryRow(lockId, key, known, recorder, granted, pid, application, address, since);
  }

  /** What people call it: its name or number, else its key. */
  public String label() {
    if (lockId == null) {
      return name == null ? "key %016x".formatted(key) : name;
    }
    return "lockid " + lockId + (recorder == null ? "" : ", " + recorder);
  }

  static AdvisoryRow of(ResultSet row, SchemaNames schemas) throws SQLException {
    boolean pair = row.getInt("part") == 2;
    long low = row.getLong("low");
    long key = pair ? low : (row.getLong("high") << Integer.SIZE) | low;
    String name = row.getString("name");
    // Whoever may write the table may write any name there.
    boolean isIts = name != null && AdvisoryKey.ofName(schemas, name).asLong() == key;
    return new AdvisoryRow(
        pair ? (int) low : null,
        key,
        isIts ? name : null,
        row.getString("recorder"),
        row.getBoolean("granted"),
        row.getInt("pid"),
        row.getString("application"),
        row.getString("address"),
        Columns.instant(row, "since"));
  }
}
