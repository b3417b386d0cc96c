package dev.recorder.app.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.OlderBuild;
import dev.recorder.app.harness.Particulars;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two builds with two numbers of the schema, one after the other and side by side, while rows come
 * in. What the number alone does not show, such as a column that one of them lacks, is for the
 * release that adds it.
 */
@Timeout(600)
class RollingUpgradeIT {
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final int REFUSED = 78;

  @RegisterExtension private final Story story = new Story();
  @TempDir private Path folder;

  @Test
  void hostsOfBothBuildsTakeOverFromEachOtherAndTheOlderDoesNotComeBack() throws Exception {
    Particulars older = Particulars.PATIENT.withBuild(OlderBuild.compileInto(folder));
    Host olderA = story.cluster().host("host-a", true, older);
    Host olderB = story.cluster().host("host-b", false, older);
    story.begin(olderA, olderB);

    // The newer program says what to do first, and does nothing to the tables.
    olderB.terminate();
    assertThat(olderB.awaitExit(SOON)).isZero();
    Host newerB = story.cluster().host("host-b", false, Particulars.PATIENT);
    newerB.start();
    assertThat(newerB.awaitExit(SOON)).isEqualTo(REFUSED);
    newerB.awaitLog("let an administrator run the output of 'recorder schema'", SOON);

    String olderScript =
        script().replace("VALUES (1)", "VALUES (0)").replace("> 1 THEN", "> 0 THEN");
    story.cluster().database().execute(script());
    newerB.start();
    story.observer().awaitReady(newerB, SOON);

    // From the older to the newer, by order; from the newer to the older, and back, by death.
    assertThat(story.cluster().run("switchover", "orders", "--to", "host-b", "--wait", "60"))
        .satisfies(done -> assertThat(done.exitCode()).as(done.output()).isZero());
    story.observer().awaitWorking(newerB, SOON);
    story.observer().awaitReady(olderA, SOON);
    newerB.kill();
    story.observer().awaitWorking(olderA, SOON);
    newerB.start();
    story.observer().awaitReady(newerB, SOON);
    olderA.kill();
    story.observer().awaitWorking(newerB, SOON);

    // No way back: neither the program nor its script.
    olderA.start();
    assertThat(olderA.awaitExit(SOON)).isEqualTo(REFUSED);
    olderA.awaitLog("update this host's program", SOON);
    assertThatThrownBy(() -> story.cluster().database().execute(olderScript))
        .hasMessageContaining("run the output of 'recorder schema' of the newer program");

    Host newerA = story.cluster().host("host-a", true, Particulars.PATIENT);
    newerA.start();
    story.observer().awaitReady(newerA, SOON);
    story.end();
  }

  private String script() {
    return story.cluster().run("schema").output();
  }
}
