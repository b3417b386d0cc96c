package dev.recorder.app.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** A command that has run: its exit code and what it printed. */
public record Run(int exitCode, String out, String err) {
  /** Runs a command with this configuration file. */
  public static Run command(Path config, String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    all.add("-c");
    all.add(config.toString());
    return command(all.toArray(String[]::new));
  }

  static Run command(String... args) {
    ByteArrayOutputStream rows = new ByteArrayOutputStream();
    Run run = writingRowsTo(rows, args);
    return new Run(run.exitCode, rows.toString(StandardCharsets.UTF_8) + run.out, run.err);
  }

  static Run writingRowsTo(OutputStream rows, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command = RecorderCommand.commandLine(rows, args);
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int exitCode = command.execute(args);
    return new Run(exitCode, out.toString(), err.toString());
  }

  JsonNode json() {
    return parse(out);
  }

  /** One value per line. */
  List<JsonNode> jsonLines() {
    return out.lines().map(Run::parse).toList();
  }

  private static JsonNode parse(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (java.io.IOException e) {
      throw new AssertionError("not JSON: " + text, e);
    }
  }

  static List<String> names(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
