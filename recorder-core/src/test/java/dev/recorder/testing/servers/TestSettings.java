package dev.recorder.testing.servers;

import dev.recorder.leadership.Timing;
import dev.recorder.postgres.DatabaseSettings;
import java.time.Duration;

/**
 * How a machine is told to reach a {@link TestDatabase}. Unless a test is about time limits, its
 * sessions are patient: they outlive the pauses of a busy host.
 */
public final class TestSettings {
  /**
   * Three times that of production: a test can wait for it, and a busy host does not take for an
   * answer that never comes what is to come late.
   */
  public static final Duration NETWORK_TIMEOUT = Duration.ofSeconds(3);

  private static final Duration IDLE_LIMIT = Duration.ofSeconds(5);
  private static final Duration LONGER_IDLE_LIMIT = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** For machines that must not lose their terms because the host is busy. */
  public static final Timing PATIENT =
      Timing.DEFAULT
          .change()
          .lease(Duration.ofSeconds(30))
          .takeoverAfter(Duration.ofSeconds(40))
          .stuckAfter(PATIENCE)
          .build();

  private TestSettings() {}

  /** As {@link TestDatabase#ROLE}, with time limits like those of production. */
  public static DatabaseSettings of(TestDatabase database) {
    return of(database, database.server().port());
  }

  /** The same by way of another port, such as a proxy's. */
  public static DatabaseSettings of(TestDatabase database, int port) {
    return of(database.name(), port, TestDatabase.ROLE, NETWORK_TIMEOUT, IDLE_LIMIT);
  }

  /**
   * By way of a port, with limits that a test can wait for and no pause of some seconds reaches.
   */
  public static DatabaseSettings unhurried(TestDatabase database, int port) {
    return of(
        database.name(),
        port,
        TestDatabase.ROLE,
        NETWORK_TIMEOUT.multipliedBy(2),
        LONGER_IDLE_LIMIT);
  }

  /** Patient, and under another role, with the same password. */
  public static DatabaseSettings as(String role, TestDatabase database) {
    return as(role, database, database.server().port());
  }

  /** The same by way of another port, such as a proxy's. */
  public static DatabaseSettings as(String role, TestDatabase database, int port) {
    return of(database.name(), port, role, PATIENCE, PATIENCE);
  }

  /** Patient, with another database of that server. */
  public static DatabaseSettings neighbour(String name, TestDatabase database) {
    return patient(name, database.server().port());
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
    return DatabaseSettings.of("127.0.0.1", database, role)
        .port(port)
        .knownAs("server")
        .password(TestDatabase.PASSWORD)
        .networkTimeout(networkTimeout)
        .idleLimit(idleLimit)
        .build();
  }
}
