package dev.recorder.app.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** How {@code scripts/soak} and the others start a class: not on the class path of these tests. */
class ScriptsIT {

  @Test
  void whatTheyStartHasTheProductsClasses() throws Exception {
    Process process =
        new ProcessBuilder(
                "bash",
                "-c",
                "source scripts/build.sh; run_test_class . dev.recorder.app.cli.Main --version")
            .directory(Path.of("..").toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(said).isZero();
  }
}
