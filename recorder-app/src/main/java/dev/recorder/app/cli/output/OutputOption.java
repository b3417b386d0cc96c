package dev.recorder.app.cli.output;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option {@code -o}: tables for people, JSON for programs. */
public final class OutputOption {
  /** Raised when a member is removed or changes its meaning, and not when one is added. */
  static final int SCHEMA_VERSION = 1;

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

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** Prints a list: a table for people, an array of objects for programs. */
  public <T> void print(List<T> rows, ListColumns<T> table) {
    if (isJson()) {
      printJson(out(), rows.stream().map(table::json).toList());
    } else {
      out().println(table.of(rows));
    }
  }

  /** Prints a table of one row for people, an object for programs. */
  public <T> void printOne(T row, ListColumns<T> table) {
    print(table.json(row), table.of(List.of(row)));
  }

  /** Prints a result: sentences for people, an object for programs. */
  public void print(JsonObject object, List<String> sentences) {
    if (isJson()) {
      printJson(out(), object);
    } else {
      sentences.forEach(out()::println);
    }
  }

  public void print(JsonObject object, String sentence) {
    print(object, List.of(sentence));
  }

  public boolean isJson() {
    return form == Form.JSON;
  }

  /** Whether a person follows the command on a terminal, so that progress is shown. */
  public boolean showsProgress() {
    return Boolean.getBoolean(TerminalLine.TERMINAL) && !isJson();
  }

  private PrintWriter out() {
    return command.commandLine().getOut();
  }

  /**
   * Prints an object, or a list of objects, as one line of JSON. Each object has the member {@code
   * schema_version}.
   */
  public static void printJson(PrintWriter out, Object value) {
    try {
      // Created only here: creating a mapper takes longer than the rest of a command's start.
      out.println(new ObjectMapper().writeValueAsString(numbered(value)));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static Object numbered(Object value) {
    if (value instanceof List<?> rows) {
      return rows.stream().map(OutputOption::numbered).toList();
    }
    if (value instanceof JsonObject object) {
      JsonObject numbered = new JsonObject();
      numbered.putAll(object);
      return numbered.with("schema_version", SCHEMA_VERSION);
    }
    return value;
  }
}
