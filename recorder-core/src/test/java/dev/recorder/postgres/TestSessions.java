package dev.recorder.postgres;

import dev.recorder.testing.TestDatabase;
import java.time.Duration;

/** Sessions with a test's database, as a machine of this name opens them. */
final class TestSessions {
  private TestSessions() {}

  static Sessions of(TestDatabase database, String machine) {
    return of(database, machine, database.server().port());
  }

  /** The same under another role, with the same password. */
  static Sessions of(TestDatabase database, String machine, String role) {
    DatabaseSettings usual = settings(database, database.server().port());
    return new Sessions(
        new DatabaseSettings(
            usual.host(),
            usual.port(),
            usual.database(),
            role,
            usual.password(),
            null,
            null,
            usual.schemas(),
            usual.networkTimeout(),
            usual.idleLimit()),
        machine);
  }

  /** The same by way of another port, such as a proxy's. */
  static Sessions of(TestDatabase database, String machine, int port) {
    return new Sessions(settings(database, port), machine);
  }

  /** Sessions that outlive the pauses of a busy host, for tests that are not about time limits. */
  static Sessions patient(TestDatabase database, String machine) {
    Duration patience = Duration.ofSeconds(60);
    return new Sessions(settings(database, database.server().port(), patience, patience), machine);
  }

  static DatabaseSettings settings(TestDatabase database, int port) {
    return settings(database, port, Duration.ofSeconds(1), Duration.ofSeconds(3));
  }

  private static DatabaseSettings settings(
      TestDatabase database, int port, Duration networkTimeout, Duration idleTimeout) {
    return new DatabaseSettings(
        "127.0.0.1",
        port,
        database.name(),
        TestDatabase.ROLE,
        TestDatabase.PASSWORD,
        null,
        null,
        SchemaNames.DEFAULT,
        networkTimeout,
        idleTimeout);
  }
}
