package dev.recorder.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.cli.output.StandardOutput;
import dev.recorder.app.config.TestIni;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Commands that need no server; the others are in {@link BadInputIT}. */
class StandardOutputTest {
  @TempDir private Path folder;
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @ValueSource(strings = {"--version", "--help", "status --help", "schema -c INI", "check -c INI"})
  void whatCannotBePrintedIsAFailure(String line) {
    assertThat(execute(failing("No space left on device"), line)).isEqualTo(1);

    assertThat(err.toString())
        .isEqualTo("recorder: cannot write to standard output: No space left on device\n");
  }

  @Test
  void aReaderThatHasReadEnoughIsNone() {
    assertThat(execute(failing("Broken pipe"), "schema -c INI")).isZero();

    assertThat(err.toString()).isEmpty();
  }

  @Test
  void aFailureKeepsItsExitCode() {
    String noSuchFile = "check -c " + folder.resolve("none.ini");

    assertThat(execute(failing("No space left on device"), noSuchFile)).isEqualTo(78);
    assertThat(err.toString()).contains("cannot write to standard output");
  }

  @Test
  void whatCanBePrintedIs() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    assertThat(execute(out, "--version")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("recorder ");
    assertThat(err.toString()).isEmpty();
  }

  private int execute(OutputStream to, String line) {
    Path ini = TestIni.minimal(folder).write();
    StandardOutput out = new StandardOutput(to);
    CommandLine command =
        RecorderCommand.withAllCommands(to).setOut(out.writer()).setErr(new PrintWriter(err));
    return RecorderCommand.execute(command, out, line.replace("INI", ini.toString()).split(" "));
  }

  static OutputStream failing(String why) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        throw new IOException(why);
      }
    };
  }
}
