package dev.recorder.app.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.cli.TestSite;
import dev.recorder.app.cli.command.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Slots up to the last one that are lost, by the statement of the operators' document. */
class GivenUpSlotsIT {
  private static final Path DOCUMENT = Path.of("../docs/operating.md");

  @TempDir private Path folder;
  private TestSite site;

  @BeforeEach
  void record() throws Exception {
    site = TestSite.create(folder);
    site.start();
    slots(site, 3);
    site.stop();
  }

  @AfterEach
  void close() throws Exception {
    site.close();
  }

  private static void slots(TestSite site, int slots) throws Exception {
    for (int slot = 0; slot < slots; slot++) {
      site.record("orders", 1);
    }
  }

  private static void giveUp(TestSite site, long highest, String chain) throws Exception {
    String text = Files.readString(DOCUMENT);
    int begin = text.indexOf("UPDATE recorder.lock_recorders SET last_slot");
    site.execute(
        text.substring(begin, text.indexOf("```", begin))
            .replace("HIGHEST", Long.toString(highest))
            .replace("CHAIN", chain)
            .replace("NAME", "orders"));
  }

  @Test
  void theLogContinuesBehindThem() throws Exception {
    String chain = site.ask("SELECT chain FROM recorder.lock_recorders WHERE recorder = 'orders'");
    for (int slot = 1; slot <= 3; slot++) {
      site.store.delete(TestSite.BUCKET, TestSite.slotKey("orders", slot, "ndjson.gz"));
    }

    giveUp(site, 3, chain);
    site.start();
    slots(site, 1);

    isWholeWithOneRowIn(site, 4);
  }

  /** As after a restore to before an expiry: readers have passed the slots that the bucket has. */
  @Test
  void noNumberIsGivenAgainThatTheBucketHas() throws Exception {
    try (TestSite restored = site.copy(Files.createDirectory(folder.resolve("restored")))) {
      site.start();
      slots(site, 3);
      site.stop();
      for (int slot = 1; slot <= 4; slot++) {
        site.store.delete(TestSite.BUCKET, TestSite.slotKey("orders", slot, "ndjson.gz"));
      }
      String highest = TestSite.slotKey("orders", 6, "ndjson.gz");

      giveUp(restored, 6, site.store.metadata(TestSite.BUCKET, highest).get("chain"));
      restored.start();
      slots(restored, 1);

      isWholeWithOneRowIn(restored, 7);
    }
  }

  private static void isWholeWithOneRowIn(TestSite site, long slot) throws Exception {
    String last = "SELECT last_slot FROM recorder.lock_recorders WHERE recorder = 'orders'";
    assertThat(site.ask(last)).isEqualTo(Long.toString(slot));
    assertThat(site.run("cat", "orders").exits(ExitCode.OK).out().lines()).hasSize(1);
    site.run("verify", "orders").exits(ExitCode.OK);
  }
}
