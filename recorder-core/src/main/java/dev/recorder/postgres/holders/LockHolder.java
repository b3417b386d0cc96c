package dev.recorder.postgres.holders;

import org.jspecify.annotations.Nullable;

/**
 * Who holds an advisory lock of ours.
 *
 * @param what which one, for people
 * @param pid of the session; 0 of a prepared transaction, which has none
 * @param role its role
 * @param application its {@code application_name}
 * @param address where it comes from; null if this role may not see that
 * @param since when the session began; null if this role may not see that
 * @param prepared the name of the prepared transaction, null if it is a session
 * @param ours whether it is a session of a recorder's program, under this role
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

  /** What frees the lock. */
  public String remedy() {
    return prepared != null
        ? "ROLLBACK PREPARED or COMMIT PREPARED '" + prepared + "' frees it"
        : "end it (SELECT pg_terminate_backend("
            + pid
            + "), as its role or with pg_signal_backend), and have its program take other keys";
  }
}
