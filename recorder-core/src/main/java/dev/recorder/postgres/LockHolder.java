package dev.recorder.postgres;

/**
 * The session that holds a recorder's lock.
 *
 * @param application its {@code application_name}
 * @param address where it comes from
 */
public record LockHolder(int pid, String application, String address) {
  @Override
  public String toString() {
    return application + " from " + address + " (database session " + pid + ")";
  }
}
