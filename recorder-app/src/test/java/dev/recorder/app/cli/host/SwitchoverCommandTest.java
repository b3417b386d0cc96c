package dev.recorder.app.cli.host;

import dev.recorder.app.cli.Run;
import dev.recorder.app.config.TestIni;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code switchover} without the network. */
class SwitchoverCommandTest {
  @TempDir private Path folder;

  @Test
  void aRecorderThatAKeyElectsIsRefusedBeforeAnybodyIsAsked() throws Exception {
    Path file =
        TestIni.minimal(folder)
            .without("recorder:orders")
            .with("recorder:orders", "lockid = 1", "election = redis")
            .set("postgredb", "endpoint = 127.0.0.1")
            .with("postgredb", "port = 1")
            .with("redis", "endpoint = 127.0.0.1", "port = 1")
            .write();

    Run.command(file, "switchover", "orders", "--to", "b")
        .exits(2)
        .printsNothing()
        .saysFirst("recorder: recorder 'orders' has election = redis: the host that has its key is")
        .says("stop the instance that is active")
        .inOneLine();
  }
}
