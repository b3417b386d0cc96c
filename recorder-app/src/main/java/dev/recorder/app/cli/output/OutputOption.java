package dev.recorder.app.cli.output;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** For whom a command prints: tables for people, JSON for programs. */
public final class OutputOption {
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

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** Prints a list: a table for people, an array of objects for programs. */
  public <T> void print(List<T> rows, Table<T> table, Function<T, JsonObject> object) {
    PrintWriter out = command.commandLine().getOut();
    if (isJson()) {
      printJson(out, rows.stream().map(object).toList());
    } else {
      out.println(table.of(rows));
    }
  }

  public boolean isJson() {
    return form == Form.JSON;
  }

  /** Prints maps, lists and plain values as one line of JSON. */
  public static void printJson(PrintWriter out, Object value) {
    try {
      out.println(JSON.writeValueAsString(value));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
