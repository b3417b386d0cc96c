package dev.recorder.app.feature.requests;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.feature.Story;
import dev.recorder.app.harness.Host;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A host is asked to stop while programs work on its requests. */
abstract class ProgramStops {
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(60);
  private static final String PROGRAM =
      """
      #!/bin/sh
      echo $$ > "%1$s/$RECORDER_ENTITY.pid"
      case $RECORDER_ENTITY in
        short) sleep 1 ;;
        long) sleep 300 & echo $! > "%1$s/child.pid"; wait ;;
      esac
      """;

  @TempDir private static Path folder;

  @RegisterExtension
  private final RequestStory story = new RequestStory("handler = exec:" + folder + "/work");

  @Test
  void askedToStopAHostFinishesWhatIsShortAndRollsBackWhatIsLong() throws Exception {
    Path program = Files.writeString(folder.resolve("work"), PROGRAM.formatted(folder));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    Host host = story.cluster().host("host-a", false);
    story.begin(host);
    long longOne = story.create("long", "{}");
    await().until(() -> isAlive("child"));
    long shortOne = story.create("short", "{}");
    await().until(() -> Files.exists(folder.resolve("short.pid")));
    long asked = System.nanoTime();
    host.terminate();

    int code = host.awaitExit(SOON);
    long millis = Story.millis(asked, System.nanoTime());
    story.figure("ended, ms after SIGTERM:", millis);
    story.figure("exit code:", code);
    assertThat(millis).isLessThan(STOP_WITHIN.toMillis());
    assertThat(code).isIn(0, 143);
    assertThat(story.row(shortOne).status()).isEqualTo("complete");
    assertThat(story.row(longOne)).isEqualTo(new RequestStory.Row("new", null, 0, 0, null, null));
    await().until(() -> !isAlive("long") && !isAlive("child"));
  }

  private static boolean isAlive(String process) throws Exception {
    Path file = folder.resolve(process + ".pid");
    return Files.exists(file)
        && !Files.readString(file).isBlank()
        && ProcessHandle.of(Long.parseLong(Files.readString(file).trim()))
            .filter(ProcessHandle::isAlive)
            .isPresent();
  }
}
