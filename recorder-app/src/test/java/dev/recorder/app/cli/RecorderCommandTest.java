package dev.recorder.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class RecorderCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void printsItsVersionAndExitsWithZero() {
    assertThat(execute("--version")).isZero();
    assertThat(out.toString()).startsWith("recorder ");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void exitsWithTwoOnAnUnknownCommand() {
    assertThat(execute("no-such-command")).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString()).contains("no-such-command");
  }

  @Test
  void exitsWithTwoWithoutACommand() {
    assertThat(execute()).isEqualTo(2);
    assertThat(err.toString()).contains("Usage: recorder");
  }

  private int execute(String... args) {
    CommandLine command = RecorderCommand.commandLine(OutputStream.nullOutputStream());
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return command.execute(args);
  }
}
