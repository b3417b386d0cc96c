package dev.recorder.machine;

import static dev.recorder.testing.Patience.await;

import dev.recorder.handoff.RecorderName;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A recorder whose lockid is another's in the database. */
class RefusedRecorderIT {
  private static final String STATED = "FROM recorder.conditions WHERE name = 'host-b'";

  @Test
  void leavesTheLockidToItsOwnerWhenTheFileIsPutRight() throws Exception {
    try (OrdersMachines machines = new OrdersMachines()) {
      RunningMachine first = machines.start("host-a", true);
      machines.awaitHolder("host-a");
      first.stop();
      MachineSettings right = machines.settings("host-b", true, null);
      LogLayout other = new LogLayout("", "b", "p", new RecorderName("other"), Compression.GZIP);
      MachineSettings wrong =
          MachineIT.with(right, List.of(RecorderSettings.of(1, other).primary(true).build()));
      Machine machine = machines.start(wrong, machines.bucket);
      await()
          .until(
              () ->
                  machines
                      .query("SELECT coalesce(string_agg(conditions::text, ''), '') " + STATED)
                      .contains("lockid 1 belongs to recorder orders"));

      machine.reconfigure(right);

      machines.awaitHolder("host-b");
    }
  }
}
