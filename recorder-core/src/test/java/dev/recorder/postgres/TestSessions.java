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

  static DatabaseSettings settings(TestDatabase database, int port) {
    return new DatabaseSettings(
        "127.0.0.1",
        port,
        database.name(),
        TestDatabase.ROLE,
        TestDatabase.PASSWORD,
        null,
        null,
        SchemaNames.DEFAULT,
        Duration.ofSeconds(1),
        Duration.ofSeconds(3));
  }
}
