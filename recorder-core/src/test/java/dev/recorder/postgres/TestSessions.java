package dev.recorder.postgres;

import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.testing.servers.TestSettings;

/** Sessions with a test's database, as a machine of this name opens them. */
public final class TestSessions {
  private TestSessions() {}

  public static Sessions of(TestDatabase database, String machine) {
    return new Sessions(TestSettings.of(database), machine);
  }

  /** The same under another role, with the same password. */
  public static Sessions of(TestDatabase database, String machine, String role) {
    return new Sessions(TestSettings.as(role, database), machine);
  }

  /** The same by way of another port, such as a proxy's. */
  public static Sessions of(TestDatabase database, String machine, int port) {
    return new Sessions(TestSettings.of(database, port), machine);
  }

  /** Sessions that outlive the pauses of a busy host, for tests that are not about time limits. */
  public static Sessions patient(TestDatabase database, String machine) {
    return new Sessions(TestSettings.patient(database), machine);
  }
}
