package dev.recorder.lock.postgres;

import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.TimestampColumns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A session that holds or awaits an advisory lock.
 *
 * @param lockId null for a lock with a name
 * @param name the lock's name, if a holder has stored it; else null
 * @param key the server's key: the lockid, or the first 64 bits of a hash
 * @param recorder the recorder with this lockid; null if there is none
 * @param granted whether the session holds the lock
 * @param application the session's {@code application_name}
 * @param address the session's client address
 * @param since when the session began, or began to wait; null if this role may not see it.
 *     PostgreSQL does not know since when a lock is held
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
  /** Describes the session for people. */
  public String session() {
    return application + " from " + address + " (database session " + pid + ")";
  }

  /** Returns the same row with a known name. */
  AdvisoryRow named(String known) {
    return new AdvisoryRow(lockId, key, known, recorder, granted, pid, application, address, since);
  }

  /** Describes the lock for people: its name or number, else its key. */
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
    // Any role that may write the table can store a wrong name.
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
        TimestampColumns.instant(row, "since"));
  }
}
