package dev.recorder.app.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The checkout's Markdown files, as the tests of this module see them. */
public final class Documents {
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final Pattern ANCHORED =
      Pattern.compile("(?m)^\\| <a id=\"(\\w+)\"></a>(\\w+) \\|");

  private Documents() {}

  /** The text of a file of the checkout. */
  public static String text(String file) {
    return text(path(file));
  }

  /** Where a file of the checkout is. */
  public static Path path(String file) {
    return ROOT.resolve(file);
  }

  /** Every Markdown file, without what a build has made. */
  static List<Path> all() {
    return files(ROOT, ".md");
  }

  /** Every file below {@code folder} with this ending, without what a build has made. */
  static List<Path> files(Path folder, String ending) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().endsWith(ending))
          .filter(file -> !ROOT.relativize(file).toString().matches("(.*/)?(target|\\.git)/.*"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The names of rows of tables to which links lead by these names in lower case. */
  public static List<String> anchored(String file) {
    return ANCHORED
        .matcher(text(file))
        .results()
        .filter(row -> row.group(1).equals(row.group(2).toLowerCase(Locale.ROOT)))
        .map(row -> row.group(2))
        .toList();
  }

  /** The rows, without the two of its head, of the first table behind {@code mark}. */
  public static List<List<String>> tableBehind(String mark, String text) {
    int start = text.indexOf(mark);
    if (start < 0) {
      throw new AssertionError("the document has no " + mark);
    }
    return text.substring(start)
        .lines()
        .dropWhile(line -> !line.startsWith("|"))
        .takeWhile(line -> line.startsWith("|"))
        .skip(2)
        .map(Documents::cells)
        .toList();
  }

  private static List<String> cells(String row) {
    return Arrays.stream(row.split("\\|", -1)).skip(1).map(String::strip).toList();
  }
}
