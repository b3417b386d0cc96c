package dev.recorder.machine;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.RecorderName;
import dev.recorder.machine.settings.MachineSettings;
import dev.recorder.machine.settings.RecorderSettings;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.testing.servers.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A recorder that a machine cannot take on: it says so where operators look. */
class RefusedRecorderIT {
  private static final LogLayout OTHER =
      new LogLayout("", "b", "p", new RecorderName("other"), Compression.GZIP);

  @Test
  void leavesTheLockidToItsOwnerWhenTheFileIsPutRight() throws Exception {
    try (OrdersMachines machines = new OrdersMachines()) {
      RunningMachine first = machines.start("host-a", true);
      machines.awaitHolder("host-a");
      first.stop();
      MachineSettings right = machines.settings("host-b", true, null);
      MachineSettings wrong = MachineIT.with(right, List.of(other(1)));
      Machine machine = machines.start(wrong, machines.bucket);
      awaitNote(
          machines,
          "CRITICAL other on host-b: no host has ever run it; refused: recorder other has");

      machine.reconfigure(right);

      machines.awaitHolder("host-b");
    }
  }

  @Test
  void whoseTableMayNotBeMadeIsNamedUntilItIsOrIsWantedNoMore() throws Exception {
    try (OrdersMachines machines = new OrdersMachines()) {
      MachineSettings before = machines.settings("host-b", true, null);
      Machine machine = machines.start(before, machines.bucket);
      machines.awaitHolder("host-b");
      machines.execute("REVOKE CREATE ON SCHEMA handoff FROM " + TestDatabase.ROLE);
      MachineSettings both = MachineIT.with(before, List.of(before.recorders().get(0), other(2)));

      machine.reconfigure(both);
      await()
          .untilAsserted(
              () ->
                  assertThat(notes(machines))
                      .containsExactly(
                          "CRITICAL other on host-b: no host has ever run it; refused:"
                              + " handoff.other missing, and this role may not create it (ERROR:"
                              + " permission denied for schema handoff (SQLSTATE 42501)); let an"
                              + " administrator run the output of 'recorder schema'"));

      machine.reconfigure(before);
      await().until(() -> notes(machines).isEmpty());

      machine.reconfigure(both);
      awaitNote(machines, "CRITICAL other on host-b: no host has ever run it; refused: ");
      machines.execute("GRANT CREATE ON SCHEMA handoff TO " + TestDatabase.ROLE);
      machine.reconfigure(both);
      await().until(() -> notes(machines).isEmpty());
      assertThat(machines.query("SELECT recorder FROM recorder.lock_recorders WHERE lock_id = 2"))
          .isEqualTo("other");
    }
  }

  /** As when a former server answers behind the name for a moment. */
  @Test
  void whatADatabaseRefusedIsCheckedAgainOnAnother() throws Exception {
    try (OrdersMachines machines = new OrdersMachines()) {
      machines.start("host-a", true);
      machines.awaitHolder("host-a");
      machines.insert(1, 1);
      await().until(() -> machines.recorded().size() == 1);
      machines.putOfTheNextTimeline(2);
      machines.insert(2, 1);
      await()
          .untilAsserted(
              () ->
                  assertThat(notes(machines))
                      .anyMatch(note -> note.contains("another one has taken over from it")));

      machines.database.execute(
          "REVOKE EXECUTE ON FUNCTION pg_catalog.pg_control_system() FROM PUBLIC");

      await().until(() -> machines.recorded().size() == 3);
      await().until(() -> notes(machines).isEmpty());
    }
  }

  private static RecorderSettings other(int lockId) {
    return RecorderSettings.of(lockId, OTHER).primary(true).build();
  }

  private static void awaitNote(OrdersMachines machines, String beginning) {
    await()
        .untilAsserted(
            () -> assertThat(notes(machines)).anyMatch(note -> note.startsWith(beginning)));
  }

  private static List<String> notes(OrdersMachines machines) {
    return OperatorNotes.of(machines.database);
  }
}
