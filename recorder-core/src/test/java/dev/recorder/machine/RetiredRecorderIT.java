package dev.recorder.machine;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.RecorderName;
import dev.recorder.machine.settings.MachineSettings;
import dev.recorder.machine.settings.RecorderSettings;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LogLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A recorder that nobody needs any more, retired as docs/operating.md says. */
class RetiredRecorderIT {
  private static final LogLayout OTHER =
      new LogLayout("", "b", "other", new RecorderName("other"), Compression.GZIP);

  @Test
  void leavesNothingToWarnOfAndItsLockidToAnother() throws Exception {
    try (OrdersMachines machines = new OrdersMachines()) {
      MachineSettings with = machines.settings("host-a", true, null);
      Machine machine = machines.start(with, machines.bucket);
      machines.awaitHolder("host-a");
      machines.insert(1, 3);
      await().untilAsserted(() -> assertThat(machines.recorded()).hasSize(3));

      machine.reconfigure(MachineIT.with(with, List.of()));
      await()
          .untilAsserted(
              () ->
                  assertThat(notes(machines))
                      .containsExactly(
                          "NOTICE orders: it is retired: no living host has it in its file, and"
                              + " no rows wait"));

      machines.execute(documented());
      assertThat(notes(machines)).isEmpty();

      machine.reconfigure(
          MachineIT.with(with, List.of(RecorderSettings.of(1, OTHER).primary(true).build())));
      await()
          .until(
              () ->
                  "host-a other 1"
                      .equals(
                          machines.query(
                              "SELECT max(holder || ' ' || recorder || ' ' || epoch) FROM"
                                  + " recorder.lock_recorders")));
    }
  }

  private static List<String> notes(OrdersMachines machines) {
    return OperatorNotes.of(machines.database);
  }

  /** The SQL of the document. */
  private static String documented() throws Exception {
    String page = Files.readString(Path.of("../docs/operating.md"));
    String section = page.substring(page.indexOf("## Retiring a recorder"));
    return section.substring(section.indexOf("```sql") + 6, section.indexOf("```\n\nIts receipts"));
  }
}
