package dev.recorder.postgres;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where the database is and how to talk to it.
 *
 * @param password null to let the driver look ({@code ~/.pgpass})
 * @param sslmode pgjdbc's name of the mode, or null for its default
 * @param networkTimeout longest wait for an answer on the control session
 * @param idleLimit the server itself ends a control session that is idle longer: the backstop for a
 *     stopped machine without a peer
 */
public record DatabaseSettings(
    String host,
    int port,
    String database,
    String user,
    @Nullable String password,
    @Nullable String sslmode,
    @Nullable String sslrootcert,
    SchemaNames schemas,
    Duration networkTimeout,
    Duration idleLimit) {

  /** Shows where, never the password. */
  @Override
  public String toString() {
    return user + "@" + host + ":" + port + "/" + database;
  }
}
