package dev.recorder.app.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import picocli.CommandLine.Option;

/** For whom a command prints: tables for people, JSON for programs. */
final class OutputOption {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The forms. */
  enum Form {
    TABLE,
    JSON
  }

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      defaultValue = "table",
      description = "table (default) or json.")
  private Form form = Form.TABLE;

  boolean isJson() {
    return form == Form.JSON;
  }

  /** Prints maps, lists and plain values as one line of JSON. */
  static void printJson(PrintWriter out, Object value) {
    try {
      out.println(JSON.writeValueAsString(value));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
