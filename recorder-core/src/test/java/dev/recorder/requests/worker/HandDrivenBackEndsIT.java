package dev.recorder.requests.worker;

import static dev.recorder.testing.Patience.A_MINUTE;
import static dev.recorder.testing.Patience.await;

import dev.recorder.handoff.RecorderName;
import dev.recorder.memory.MemoryBudget;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.Sessions;
import dev.recorder.requests.Pump;
import dev.recorder.requests.document.DocumentLayout;
import dev.recorder.s3.StoreProbes;
import dev.recorder.schema.Setup;
import dev.recorder.testing.MemoryStore;
import dev.recorder.testing.TestDatabase;
import dev.recorder.testing.TestSettings;
import dev.recorder.time.Fatal;
import dev.recorder.time.Supervision;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
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

  private static final BackEndSettings ACCOUNTS =
      new BackEndSettings(
          5,
          4,
          "",
          Duration.ofSeconds(60),
          20,
          Duration.ofHours(1),
          new DocumentLayout("", "bucket", "p", new RecorderName("accounts")),
          16 << 20);

  private final AtomicLong now = new AtomicLong();
  private TestDatabase database;
  private Connection producer;
  private RdsManager manager;
  private BackEnds backEnds;

  @BeforeEach
  void start() throws Exception {
    database = TestDatabase.createOwned();
    producer = database.connect();
    Sessions sessions = new Sessions(TestSettings.patient(database), "host-a");
    manager = new RdsManager(sessions);
    manager.connect();
    Setup.Row row = new Setup(manager).run(List.of(ACCOUNTS.wanted())).get(0);
    MemoryStore bucket = new MemoryStore();
    Handlings handlings = new Handlings(recorder -> bucket, new StoreProbes(), manager);
    backEnds =
        new BackEnds(
            sessions,
            handlings,
            MemoryBudget.unlimited(),
            Duration.ofSeconds(2),
            new Supervision(now::get, Fatal.IGNORED));
    backEnds.hire(ACCOUNTS, row);
    backEnds.registered(true);
  }

  @AfterEach
  void stop() throws Exception {
    backEnds.close();
    manager.close();
    producer.close();
    database.close();
  }

  @Test
  void aNotificationIsActedOnLongBeforeTheNextLookIsDue() throws Exception {
    lookInVain();
    insert("create", "x");
    run("NOTIFY handoff_accounts");

    // However late it is heard, all in all half of the longest pause passes.
    for (int i = 0; i < 10 && !isSettled(); i++) {
      pass(Pump.SHORTEST_PAUSE);
      Thread.sleep(50);
    }
    await()
        .pollInterval(A_MINUTE.dividedBy(600))
        .until(
            () -> {
              pass(Pump.LONGEST_PAUSE.dividedBy(2_400));
              return isSettled();
            });
  }

  @Test
  void withoutANotificationTheNextLookFindsIt() throws Exception {
    lookInVain();
    insert("create", "x");

    await()
        .until(
            () -> {
              pass(Pump.LONGEST_PAUSE);
              return isSettled();
            });
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

    run("UPDATE handoff.accounts SET settled_at = settled_at - interval '1 h'");
    awaitCleared("1 6");
  }

  private void awaitCleared(String left) {
    await()
        .until(
            () -> {
              pass(Caretaker.CLEAR_EVERY);
              return text("SELECT string_agg(id::text, ' ' ORDER BY id) FROM handoff.accounts");
            },
            left::equals);
  }

  /** Until the pause has grown to the longest, and the whole of it lies ahead. */
  private void lookInVain() throws Exception {
    for (int i = 0; i < LOOKS; i++) {
      String before = text("SELECT clock_timestamp()");
      await()
          .until(
              () -> {
                pass(Pump.LONGEST_PAUSE);
                return text("SELECT bool_or(query_start > '"
                        + before
                        + "') FROM pg_stat_activity WHERE datname = current_database()"
                        + " AND application_name = 'recorder/host-a/data'")
                    .equals("t");
              });
    }
    // Who waits looks at the clock so often, and may yet find a look due.
    Thread.sleep(2 * Pump.LONGEST_PAUSE.toMillis());
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  private void insert(String type, String entity) throws SQLException {
    run(
        "INSERT INTO handoff.accounts (request_type, entity_id, payload) VALUES ('%s', '%s', '{}')"
            .formatted(type, entity));
  }

  private void settled(String type, String entity, String status, String ago) throws SQLException {
    run(
        "INSERT INTO handoff.accounts (request_type, entity_id, payload, request_status, settled_at)"
            + " VALUES ('%s', '%s', '{}', '%s', now() - interval '%s')"
                .formatted(type, entity, status, ago));
  }

  private boolean isSettled() throws SQLException {
    return text("SELECT bool_and(request_status = 'complete') FROM handoff.accounts").equals("t");
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = producer.createStatement()) {
      statement.execute(sql);
    }
  }

  private String text(String sql) throws SQLException {
    try (Statement statement = producer.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return String.valueOf(row.getString(1));
    }
  }
}
