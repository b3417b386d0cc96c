package dev.recorder.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.stream.Stream;
import picocli.CommandLine;

/** A command that has run: its exit code and what it printed. */
public record Run(int exitCode, String out, String err) {
  /** The words of a line, and behind them some that may have blanks. */
  public static String[] words(String line, String... more) {
    return Stream.concat(Stream.of(line.split(" ")), Stream.of(more)).toArray(String[]::new);
  }

  /** Runs a command with this configuration file. */
  public static Run command(Path config, String... args) {
    return command(
        Stream.concat(Stream.of(args), Stream.of("-c", config.toString())).toArray(String[]::new));
  }

  public static Run command(String... args) {
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
    // Values of the program are told as an operator knows them, never as a record shows itself.
    assertThat(out.toString() + err)
        .doesNotContainPattern("[A-Z]\\w*\\[\\w+=|Optional(\\[|\\.empty)");
    return new Run(exitCode, out.toString(), err.toString());
  }

  // ---- what is expected of it; each gives the run itself

  public Run exits(int code) {
    assertThat(exitCode).as("exit code of what said: %s%s", out, err).isEqualTo(code);
    return this;
  }

  public Run prints(String... texts) {
    assertThat(out).contains(texts);
    return this;
  }

  /** Has printed what each of these patterns finds. */
  public Run printsLike(String... patterns) {
    assertThat(patterns).allSatisfy(pattern -> assertThat(out).containsPattern(pattern));
    return this;
  }

  public Run printsOnly(String text) {
    assertThat(out).isEqualTo(text);
    return this;
  }

  public Run doesNotPrint(String... texts) {
    assertThat(out).doesNotContain(texts);
    return this;
  }

  public Run printsNothing() {
    assertThat(out).isEmpty();
    return this;
  }

  /** Has these texts on standard error. */
  public Run says(String... texts) {
    assertThat(err).contains(texts);
    return this;
  }

  public Run saysFirst(String start) {
    assertThat(err).startsWith(start);
    return this;
  }

  public Run saysOnly(String text) {
    assertThat(err).isEqualTo(text);
    return this;
  }

  /** Has said no more than a line. */
  public Run inOneLine() {
    assertThat(err).hasLineCount(1);
    return this;
  }

  public Run doesNotSay(String... texts) {
    assertThat(err).doesNotContain(texts);
    return this;
  }

  public Run saysNothing() {
    assertThat(err).isEmpty();
    return this;
  }

  // ---- as data

  public JsonNode json() {
    return parse(out);
  }

  /** One value per line. */
  public List<JsonNode> jsonLines() {
    return out.lines().map(Run::parse).toList();
  }

  private static JsonNode parse(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (java.io.IOException e) {
      throw new AssertionError("not JSON: " + text, e);
    }
  }

  /** The names of an object's members in their order, with a blank between. */
  public static String names(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return String.join(" ", names);
  }
}
