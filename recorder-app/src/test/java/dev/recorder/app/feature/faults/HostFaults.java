package dev.recorder.app.feature.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.recorder.app.feature.Story;
import dev.recorder.app.harness.FullDisk;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.LogState;
import dev.recorder.app.harness.Particulars;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is wrong with one host: its disk, or its file. */
abstract class HostFaults {
  private static final Duration START_WITHIN = Duration.ofMinutes(3);
  private static final String FILES_DIFFER = "section [";

  @RegisterExtension private final Story story = new Story();

  @Test
  void aFullDiskForTemporaryFilesHindersNothing() throws Exception {
    Optional<FullDisk> mounted = FullDisk.mount();
    assumeThat(mounted).as("the right to mount a small disk").isPresent();
    try (FullDisk disk = mounted.orElseThrow()) {
      Particulars there = Particulars.PATIENT.withTemp(disk.path());
      Host a = story.cluster().host("host-a", true, there);
      Host b = story.cluster().host("host-b", false, there);
      story.begin(a, b);
      disk.fill();
      story.awaitNextSlot();
      story.awaitNextSlot();

      a.kill();
      LogState successor = story.observer().awaitWorking(b, START_WITHIN);
      a.start();
      story.observer().awaitReady(a, START_WITHIN);

      assertThat(disk.hasRoom()).isFalse();
      assertThat(successor.epoch()).isEqualTo(2);
      story.assertNoAlarms(a);
      story.assertNoAlarms(b);
      story.end();
    }
  }

  /** In a build {@code CommandMatrixIT}, where such a host is alone while the active one hangs. */
  @Tag("nightly")
  @Test
  void aFileWithAnotherPrefixIsRefusedAndItsHostTakesNothingOver() throws Exception {
    Host a = story.cluster().host("host-a", true, Particulars.PATIENT);
    Host astray =
        story.cluster().host("host-b", false, Particulars.PATIENT.withPrefix("elsewhere"));
    story.begin(a);
    astray.start();
    astray.awaitLog("is refused on this host", START_WITHIN);
    story.awaitNextSlot();

    a.kill();
    long silent = System.nanoTime();
    Thread.sleep(5_000);
    assertThat(story.observer().takeovers()).hasSize(1);
    assertThat(astray.isRunning()).isTrue();
    a.start();
    LogState back = story.awaitTermAtWork(2);
    assertThat(back.holder()).isEqualTo(a.name());

    story.figure("at work again, ms after its death:", Story.millis(silent, back.seenNanos()));
    story.assertAlarms(astray, "recorder orders is refused on this host: ", FILES_DIFFER);
    assertThat(story.alarms(astray).get(0).text())
        .contains("\"prefix\":\"recorded\"", "\"prefix\":\"elsewhere\"", "a log does not move");
    assertThat(story.alarms(a)).allMatch(alarm -> alarm.text().startsWith(FILES_DIFFER));
    story.end();
  }
}
