package dev.recorder.requests.worker;

import static dev.recorder.testing.Patience.A_MINUTE;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.memory.MemoryBudget;
import dev.recorder.requests.WorkerScheduler;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.time.FatalErrorHandler;
import dev.recorder.time.Supervision;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A machine's back ends on a real database, for which time passes only when the test says so: what
 * they do of their own accord, and what only since somebody told them.
 */
class HandDrivenBackEndsIT {
  /** More looks in vain than it takes until the pause between two of them is the longest. */
  private static final int LOOKS = 8;

  private final AtomicLong now = new AtomicLong();
  private Accounts.Hosted accounts;

  @BeforeEach
  void start() throws Exception {
    accounts =
        new Accounts.Hosted(
            new MemoryStore(),
            MemoryBudget.unlimited(),
            new Supervision(now::get, FatalErrorHandler.IGNORED));
    accounts.add(Accounts.settings(4, A_MINUTE));
  }

  @AfterEach
  void stop() throws Exception {
    accounts.close();
  }

  @Test
  void aNotificationIsActedOnLongBeforeTheNextLookIsDue() throws Exception {
    lookInVain();
    accounts.insert("create", "x", "{}");
    accounts.run("NOTIFY handoff_accounts");

    // However late it is heard, all in all half of the longest pause passes.
    for (int i = 0; i < 10 && !isSettledAfter(Duration.ZERO); i++) {
      pass(WorkerScheduler.SHORTEST_PAUSE);
      Thread.sleep(50);
    }
    await()
        .pollInterval(A_MINUTE.dividedBy(600))
        .until(() -> isSettledAfter(WorkerScheduler.LONGEST_PAUSE.dividedBy(2_400)));
  }

  @Test
  void withoutANotificationTheNextLookFindsIt() throws Exception {
    lookInVain();
    accounts.insert("create", "x", "{}");

    await().until(() -> isSettledAfter(WorkerScheduler.LONGEST_PAUSE));
  }

  @Test
  void whatWasSettledLongerAgoThanHistorySaysIsClearedAwayAgainAndAgain() throws Exception {
    settled("create", "x", "complete", "2 h");
    settled("update", "x", "complete", "2 h");
    settled("update", "x", "error", "2 h");
    settled("update", "x", "complete", "50 min");
    settled("create", "no more", "error", "2 h");
    settled("create", "y", "complete", "50 min");

    awaitCleared("1 4 6");

    accounts.run("UPDATE handoff.accounts SET settled_at = settled_at - interval '1 h'");
    awaitCleared("1 6");
  }

  @Test
  void settledRequestsOfARecorderThatIsPausedStayUntilItGoesOn() throws Exception {
    settled("create", "x", "error", "2 h");
    settled("create", "y", "complete", "50 min");
    accounts.paused(true);
    awaitRound(); // In one that had begun before it might not have been due yet.
    awaitRound();
    assertThat(accounts.text("SELECT count(*) FROM handoff.accounts")).isEqualTo("2");

    accounts.paused(false);
    awaitCleared("2");
  }

  /** Until the maintenance has begun a round, in which it evicts first. */
  private void awaitRound() throws SQLException {
    awaitStatement("listen", ClearingProgress.CLEAR_EVERY);
  }

  private void awaitCleared(String left) {
    awaitWhile(
        ClearingProgress.CLEAR_EVERY,
        "SELECT string_agg(id::text, ' ' ORDER BY id) FROM handoff.accounts",
        left);
  }

  /** Until the pause has grown to the longest, and the whole of it lies ahead. */
  private void lookInVain() throws Exception {
    for (int i = 0; i < LOOKS; i++) {
      awaitStatement("data", WorkerScheduler.LONGEST_PAUSE);
    }
    // Who waits looks at the clock so often, and may yet find a look due.
    Thread.sleep(2 * WorkerScheduler.LONGEST_PAUSE.toMillis());
  }

  /** Until that session has begun a statement after this moment, while time goes in such steps. */
  private void awaitStatement(String session, Duration step) throws SQLException {
    String begun =
        """
        SELECT bool_or(query_start > '%s') FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'recorder/host-a/%s'\
        """
            .formatted(accounts.text("SELECT clock_timestamp()"), session);
    awaitWhile(step, begun, "t");
  }

  private void awaitWhile(Duration step, String asked, String answer) {
    await()
        .until(
            () -> {
              pass(step);
              return accounts.text(asked).equals(answer);
            });
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  private void settled(String type, String entity, String status, String ago) throws SQLException {
    accounts.run(
        "INSERT INTO handoff.accounts (request_type, entity_id, payload, request_status,"
            + " settled_at)"
            + " VALUES ('%s', '%s', '{}', '%s', now() - interval '%s')"
                .formatted(type, entity, status, ago));
  }

  private boolean isSettledAfter(Duration time) throws SQLException {
    pass(time);
    return accounts
        .text("SELECT bool_and(request_status = 'complete') FROM handoff.accounts")
        .equals("t");
  }
}
