package dev.recorder.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.postgres.TestSessions;
import dev.recorder.testing.servers.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The copy of who holds what, which the watch reads, beside what counts. */
class ActiveRecordersIT {
  private static final String HOLDER =
      "holder = '%s', holder_pid = 1, holder_backend_start = clock_timestamp()";
  private static final String DIFFERENT =
      """
      SELECT count(*) FROM recorder.lock_recorders r FULL JOIN recorder.incumbents i USING (lock_id)
      WHERE ROW (r.holder, r.epoch, r.holder_pid, r.holder_backend_start, r.switch_to, r.switch_why,
          r.faults) IS DISTINCT FROM ROW (i.holder, i.epoch, i.holder_pid, i.holder_backend_start,
          i.switch_to, i.switch_why, i.faults)
      """;

  private TestDatabase database;

  @BeforeEach
  void create() throws Exception {
    database = TestDatabase.createOwned();
    start();
  }

  @AfterEach
  void drop() throws Exception {
    database.close();
  }

  @Test
  void aChangeOfTheHolderIsCopiedInItsTransaction() throws Exception {
    database.execute(
        "UPDATE recorder.lock_recorders SET epoch = epoch + 1, " + HOLDER.formatted("a"));

    assertThat(database.one("SELECT holder || ' ' || epoch FROM recorder.incumbents"))
        .isEqualTo("a 1");
    assertThat(database.one(DIFFERENT)).isEqualTo("0");
  }

  @Test
  void aSettledSlotLeavesItAlone() throws Exception {
    String version = database.one("SELECT xmin FROM recorder.incumbents");

    database.execute(
        "UPDATE recorder.lock_recorders SET last_slot = 7, chain = '', settled_at = clock_timestamp()");

    assertThat(database.one("SELECT xmin FROM recorder.incumbents")).isEqualTo(version);
  }

  @Test
  void aRecorderThatIsRemovedGoesThereToo() throws Exception {
    database.execute("DELETE FROM recorder.lock_recorders");

    assertThat(database.one("SELECT count(*) FROM recorder.incumbents")).isEqualTo("0");
  }

  /** As a restore, a subscriber or a load with triggers off does. */
  @Test
  void aStartHealsWhatWasChangedPastTheTrigger() throws Exception {
    database.execute(
        "SET session_replication_role = replica",
        "UPDATE recorder.lock_recorders SET epoch = 9, faults = 2, " + HOLDER.formatted("b"));
    assertThat(database.one(DIFFERENT)).isEqualTo("1");

    start();

    assertThat(database.one(DIFFERENT)).isEqualTo("0");
    assertThat(database.one("SELECT holder || ' ' || epoch FROM recorder.incumbents"))
        .isEqualTo("b 9");
  }

  @Test
  void aStartMakesWhatIsMissing() throws Exception {
    database.execute("DELETE FROM recorder.incumbents");

    start();

    assertThat(database.one(DIFFERENT)).isEqualTo("0");
  }

  /** What a machine does first. */
  private void start() {
    OneLog.setUp(TestSessions.patient(database, "a"), OneLog.wanted(1, "orders"));
  }
}
