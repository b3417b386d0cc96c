package dev.recorder.app.cli.output;

import dev.recorder.postgres.sql.SqlTemplate;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;

/** A text among the resources, with {@code {names}} in it. */
public record TextTemplate(String text) {
  /** Returns the resource beside a class. */
  public static TextTemplate of(Class<?> beside, String name) {
    try (InputStream in = Objects.requireNonNull(beside.getResourceAsStream(name), name)) {
      return new TextTemplate(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the text with a value in place of each name.
   *
   * @throws IllegalArgumentException if a name has no value
   */
  public String fill(Map<String, String> values) {
    return SqlTemplate.fillFromShared(text, values);
  }
}
