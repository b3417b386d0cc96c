package dev.recorder.testing;

import dev.recorder.postgres.DatabaseSettings;
import dev.recorder.postgres.SchemaNames;
import java.time.Duration;

/** How a machine is told to reach a {@link TestDatabase}. */
public final class TestSettings {
  private static final Duration NETWORK_TIMEOUT = Duration.ofSeconds(1);
  private static final Duration IDLE_LIMIT = Duration.ofSeconds(3);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private TestSettings() {}

  /** As {@link TestDatabase#ROLE}, with time limits like those of production. */
  public static DatabaseSettings of(TestDatabase database) {
    return of(database, database.server().port());
  }

  /** The same by way of another port, such as a proxy's. */
  public static DatabaseSettings of(TestDatabase database, int port) {
    return of(database.name(), port, TestDatabase.ROLE, NETWORK_TIMEOUT, IDLE_LIMIT);
  }

  /** The same under another role, with the same password. */
  public static DatabaseSettings as(String role, TestDatabase database) {
    return of(database.name(), database.server().port(), role, NETWORK_TIMEOUT, IDLE_LIMIT);
  }

  /** The same with another database of that server. */
  public static DatabaseSettings neighbour(String name, TestDatabase database) {
    int port = database.server().port();
    return of(name, port, TestDatabase.ROLE, NETWORK_TIMEOUT, IDLE_LIMIT);
  }

  /** For sessions that outlive the pauses of a busy host, in tests that are not about time. */
  public static DatabaseSettings patient(TestDatabase database) {
    return patient(database.name(), database.server().port());
  }

  /** The same for a process that knows no more than this. */
  public static DatabaseSettings patient(String database, int port) {
    return of(database, port, TestDatabase.ROLE, PATIENCE, PATIENCE);
  }

  private static DatabaseSettings of(
      String database, int port, String role, Duration networkTimeout, Duration idleLimit) {
    return new DatabaseSettings(
        "127.0.0.1",
        port,
        database,
        role,
        TestDatabase.PASSWORD,
        null,
        null,
        SchemaNames.DEFAULT,
        networkTimeout,
        idleLimit);
  }
}
