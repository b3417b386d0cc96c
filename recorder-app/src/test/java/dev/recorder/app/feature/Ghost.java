package dev.recorder.app.feature;

import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** A machine that says it could take everything, and does nothing. */
final class Ghost implements AutoCloseable {
  private static final int BEATS = 40;

  /** More than the lease of any host. */
  private static final Duration SILENT_AFTER = Duration.ofSeconds(4);

  private final String name;
  private final Connection session;
  private long lastBeat = System.nanoTime();

  Ghost(TestDatabase database, String name) throws SQLException {
    this.name = name;
    this.session = database.connect();
    run(
        """
        INSERT INTO recorder.info_recorders (name, update_time, num_primary, num_secondary, able,
          pid, backend_start, version, config_hash)
        SELECT '%s', now() + interval '1 hour', 0, 2, '{1,2}', pid, backend_start, 'test', 'none'
        FROM pg_stat_activity WHERE pid = pg_backend_pid()
        """
            .formatted(name));
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = session.createStatement()) {
      statement.execute(sql);
    }
  }

  void isAble(String lockIds) throws SQLException {
    run(
        "UPDATE recorder.info_recorders SET able = '%s' WHERE name = '%s'"
            .formatted(lockIds, name));
  }

  /** Nobody hands anything over to who has not beaten for so long. */
  void awaitSilence() throws InterruptedException {
    long left = lastBeat + SILENT_AFTER.toNanos() - System.nanoTime();
    Thread.sleep(Math.max(0, Duration.ofNanos(left).toMillis()));
  }

  /** Meanwhile the others take it for one to which something could be handed over. */
  void beatForAWhile() throws SQLException, InterruptedException {
    for (int i = 0; i < BEATS; i++) {
      run("UPDATE recorder.info_recorders SET beat = beat + 1 WHERE name = '%s'".formatted(name));
      Thread.sleep(25);
    }
    lastBeat = System.nanoTime();
  }

  @Override
  public void close() throws SQLException {
    run("DELETE FROM recorder.info_recorders WHERE name = '%s'".formatted(name));
    session.close();
  }
}
