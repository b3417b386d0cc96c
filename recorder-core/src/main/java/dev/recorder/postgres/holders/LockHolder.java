package dev.recorder.postgres.holders;

import org.jspecify.annotations.Nullable;

/**
 * The holder of one of the recorder's advisory locks.
 *
 * @param what describes the lock in messages
 * @param pid the session's pid; 0 for a prepared transaction
 * @param role of the session
 * @param application the session's {@code application_name}
 * @param address the address of the session's client; null if this role may not see it
 * @param since when the session began; null if this role may not see it
 * @param prepared the name of the prepared transaction, null if the holder is a session
 * @param ours whether the holder is a recorder's session under this role
 */
public record LockHolder(
    String what,
    int pid,
    String role,
    String application,
    @Nullable String address,
    @Nullable String since,
    @Nullable String prepared,
    boolean ours) {

  @Override
  public String toString() {
    if (prepared != null) {
      return "prepared transaction '" + prepared + "' of role " + role + began();
    }
    return ours
        ? application + origin() + " (database session " + pid + ")"
        : "database session "
            + pid
            + " of role "
            + role
            + ", application '"
            + application
            + "'"
            + origin()
            + began();
  }

  private String origin() {
    return address == null ? "" : " from " + address;
  }

  private String began() {
    return since == null ? "" : ", since " + since;
  }

  /** Returns how to free the lock. */
  public String remedy() {
    return prepared != null
        ? "ROLLBACK PREPARED or COMMIT PREPARED '" + prepared + "' frees it"
        : "end it (SELECT pg_terminate_backend("
            + pid
            + "), as its role or with pg_signal_backend), and have its program take other keys";
  }
}
