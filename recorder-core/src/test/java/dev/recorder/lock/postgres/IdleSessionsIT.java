package dev.recorder.lock.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.postgres.tasks.TaskLocks;
import dev.recorder.lock.postgres.tasks.TaskQueue;
import dev.recorder.lock.postgres.tasks.TaskStatus;
import dev.recorder.postgres.LockSites;
import dev.recorder.postgres.Sessions;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import java.time.Duration;
import java.util.EnumSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Nobody's call fails because the server was restarted since the one before. */
class IdleSessionsIT {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static PostgresServer server;
  private static TestDatabase database;

  @BeforeAll
  static void start() throws Exception {
    server = PostgresServer.start();
    database = TestDatabase.createOn(server, TestDatabase.ROLE);
    LockSites.create(database);
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  private static Sessions sessions(String worker) {
    return LockSites.sessions(database.name(), worker, server.port());
  }

  @Test
  void theFirstCallAfterARestartIsAnsweredWhateverItIs() throws Exception {
    try (AdvisoryLocks advisory = new AdvisoryLocks(sessions("advisory"), Instruments.PLAIN);
        MutexLocks mutexes = new MutexLocks(sessions("mutex"), Instruments.PLAIN);
        TimeoutLocks timeouts = new TimeoutLocks(sessions("timeout"), Instruments.PLAIN);
        TaskLocks tasks = new TaskLocks(sessions("task"), MINUTE, Instruments.PLAIN);
        TaskQueue captured = new TaskQueue(sessions("a"), "q", MINUTE, Instruments.PLAIN);
        TaskQueue listed = new TaskQueue(sessions("b"), "q", MINUTE, Instruments.PLAIN)) {
      advisory.lock("before").tryAcquire().orElseThrow().close();
      assertThat(mutexes.lock("before").tryAcquire()).isPresent();
      assertThat(timeouts.lock("before", MINUTE).tryAcquire()).isPresent();
      assertThat(tasks.lock("before").tryAcquire()).isPresent();
      captured.list(null, 1);
      listed.list(null, 1);

      server.restart();

      assertThat(advisory.lock("after").tryAcquire()).isPresent();
      assertThat(mutexes.lock("after").tryAcquire()).isPresent();
      assertThat(timeouts.lock("after", MINUTE).tryAcquire()).isPresent();
      assertThat(tasks.lock("after").tryAcquire()).isPresent();
      assertThat(captured.capture(1, EnumSet.of(TaskStatus.NEW))).isEmpty();
      assertThat(listed.list(null, 1)).isEmpty();
    }
  }

  /** Before the connection is read that says so. */
  @Test
  void aSessionThatWasTerminatedAMomentAgoIsReplacedToo() throws Exception {
    try (AdvisoryLocks locks = new AdvisoryLocks(sessions("ended"), Instruments.PLAIN)) {
      for (int round = 0; round < 30; round++) {
        Lease lease = locks.lock("round" + round).tryAcquire().orElseThrow();
        lease.close();
        LockSites.terminate(database, "ended");
      }
    }
  }
}
