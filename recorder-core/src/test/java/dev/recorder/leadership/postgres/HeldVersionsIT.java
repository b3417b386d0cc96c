package dev.recorder.leadership.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.leadership.ClusterView;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.TestSessions;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.schema.HeldVersions;
import dev.recorder.schema.OneLog;
import dev.recorder.schema.Setup;
import dev.recorder.testing.servers.TestDatabase;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What the statements of every machine cost while a dump keeps the server from removing what they
 * have written since: counted in pages, which do not depend on how busy the machine is.
 */
@Tag("nightly")
class HeldVersionsIT {
  private TestDatabase database;
  private RdsManager control;
  private HeldVersions held;

  @BeforeEach
  void start() throws Exception {
    database = TestDatabase.createOwned();
    control = new RdsManager(TestSessions.patient(database, "a"));
    control.connect();
    new Setup(control).run(List.of(OneLog.wanted(1, "orders")));
    control.call(
        connection -> {
          for (String machine : List.of("a", "b", "c")) {
            new Heartbeats(SchemaNames.DEFAULT, machine)
                .register(connection, registration(), control.identity(), Set.of(), Set.of(1));
          }
          return true;
        });
    database.execute("UPDATE recorder.lock_recorders SET epoch = 1, holder = 'a'");
    held = HeldVersions.hold(database);
  }

  @AfterEach
  void close() throws Exception {
    held.close();
    control.close();
    database.close();
  }

  @Test
  void theWatchReadsNoOldVersionsOfMachinesOrRecorders() throws Exception {
    long before = control.call(WatchCost::pages);
    // The server ends a session that asks nothing for a minute, and a busy one writes for longer.
    control.disconnect("a pause");

    held.beat().settle();

    control.connect();
    assertThat(before).isLessThan(WatchCost.A_FEW_PAGES);
    assertThat(control.call(WatchCost::pages)).isLessThan(WatchCost.A_FEW_PAGES);
    ClusterView view = control.call(c -> new WatchStatement(SchemaNames.DEFAULT).on(c, Set.of(1)));
    assertThat(view.machines()).containsOnlyKeys("a", "b", "c");
    assertThat(view.machines().values())
        .allSatisfy(machine -> assertThat(machine.beat()).isEqualTo(1L + HeldVersions.COUNT));
    assertThat(view.recorders().get(1).epoch()).isEqualTo(1);
  }

  private static Registration registration() {
    return new Registration(Set.of(1), Set.of(), "test", "hash", Map.of("recorder:orders", "hash"));
  }
}
