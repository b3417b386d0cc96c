package dev.recorder.app.soak;

import dev.recorder.testing.servers.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Clears as the product must not: empties whatever leaf is not in use, whether it is recorded or
 * not, and notes it as cleared. A soak that does not find out is worth nothing.
 */
final class UnprovedClearing implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final String CLEAR =
      """
      DO $$
      DECLARE
        current bigint := (SELECT last_value >> 32 FROM handoff.%1$s_id_seq);
        leaf regclass;
        gone bigint;
      BEGIN
        SET LOCAL lock_timeout = 50;
        FOR earlier IN greatest(current - 7, 0) .. current - 1 LOOP
          leaf := 'recorder.handoff_%1$s_' || (earlier & 7);
          EXECUTE 'LOCK TABLE ' || leaf || ' IN ACCESS EXCLUSIVE MODE';
          EXECUTE 'SELECT count(*) FROM ONLY ' || leaf INTO gone;
          IF gone > 0 THEN
            EXECUTE 'TRUNCATE ONLY ' || leaf;
            UPDATE recorder.blocks b SET cleared_at = clock_timestamp(),
              cleared_by = 'nobody', cleared_rows = b.cleared_rows + gone
            FROM recorder.lock_recorders r
            WHERE r.lock_id = b.lock_id AND r.recorder = '%1$s' AND b.block = earlier;
          END IF;
        END LOOP;
      END $$
      """;

  private final TestDatabase database;
  private final String recorder;
  private final Thread thread = new Thread(this::run, "unproved clearing");
  private volatile boolean closed;

  private UnprovedClearing(TestDatabase database, String recorder) {
    this.database = database;
    this.recorder = recorder;
  }

  static UnprovedClearing start(TestDatabase database, String recorder) {
    UnprovedClearing clearing = new UnprovedClearing(database, recorder);
    clearing.thread.setDaemon(true);
    clearing.thread.start();
    return clearing;
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    thread.join();
  }

  private void run() {
    try {
      while (!closed) {
        clear();
        Thread.sleep(PAUSE.toMillis());
      }
    } catch (InterruptedException ending) {
      closed = true;
    }
  }

  private void clear() {
    try {
      database.execute(CLEAR.formatted(recorder));
    } catch (SQLException inUseOrAway) {
      // Tried again.
    }
  }
}
