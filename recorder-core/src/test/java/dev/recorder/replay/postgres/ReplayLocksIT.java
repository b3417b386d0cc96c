package dev.recorder.replay.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.operate.rebase.RebaseSite;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.TestSessions;
import dev.recorder.reader.LogReader;
import dev.recorder.replay.Replay;
import dev.recorder.replay.ReplayException;
import dev.recorder.replay.ReplayException.ReplayErrorKind;
import dev.recorder.replay.ReplayPosition;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import org.junit.jupiter.api.Test;

/** More tables at once than the target's server has locks for. */
class ReplayLocksIT {
  private static final int TABLES = 600;

  @Test
  void theSettingThatHasTooFewLocksIsNamedAndNothingIsChanged() throws Exception {
    try (ReplaySite site = new ReplaySite();
        PostgresServer few =
            PostgresServer.builder()
                .set("max_locks_per_transaction", "10")
                .set("max_connections", "10")
                .start();
        TestDatabase target = TestDatabase.createOn(few, TestDatabase.ROLE)) {
      try (ReplaySite.Transaction transaction = site.begin()) {
        for (int i = 0; i < TABLES; i++) {
          transaction.change(
              "schema",
              "public.t" + i,
              ",\"columns\":[{\"name\":\"id\",\"type\":\"integer\"}],\"key\":[\"id\"]");
        }
        transaction.commit();
      }
      site.source.record(50_000);

      assertThatThrownBy(() -> replay(site, target))
          .isInstanceOfSatisfying(
              ReplayException.class, e -> assertThat(e.kind()).isEqualTo(ReplayErrorKind.SETTING))
          .hasMessageContaining("raise its max_locks_per_transaction, restart it");
      assertThat(target.number("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"))
          .isZero();
    }
  }

  private static void replay(ReplaySite site, TestDatabase target) {
    Sessions sessions = TestSessions.patient(target, "replay");
    try (JdbcReplayTarget into = JdbcReplayTarget.open(sessions, RebaseSite.ORDERS, site.log());
        LogReader slots = site.slots(site.source.store, ReplayPosition.of(1))) {
      new Replay(into, ReplayPosition.of(1), (slot, rows) -> {}).run(slots);
    }
  }
}
