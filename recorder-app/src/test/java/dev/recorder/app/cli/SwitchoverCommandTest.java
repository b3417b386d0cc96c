package dev.recorder.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code switchover} without the network. */
class SwitchoverCommandTest {
  @TempDir private Path folder;

  @Test
  void aRecorderThatAKeyElectsIsRefusedBeforeAnybodyIsAsked() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("recorder.ini"),
            """
            [machine]
            name = a
            [postgredb]
            endpoint = 127.0.0.1
            port = 1
            database = app
            user = rec
            [s3]
            region = eu-central-1
            bucket = bucket
            [redis]
            endpoint = 127.0.0.1
            port = 1
            [recorder:orders]
            lockid = 1
            election = redis
            """);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));

    Run run = Run.command(file, "switchover", "orders", "--to", "b");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .startsWith("recorder: recorder 'orders' has election = redis: whoever has its key is")
        .contains("stop the instance that is active")
        .hasLineCount(1);
  }
}
