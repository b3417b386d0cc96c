package dev.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How much there is to be read in one place, and to be counted. */
class SourcesTest {
  private static final Path CORE = Path.of("src", "main", "java", "dev", "recorder");
  private static final Path APP = Path.of("..", "recorder-app").resolve(CORE);

  private static final int LINES_OF_A_FILE = 600;
  private static final int MOST_PARAMETERS = 5;
  private static final int LINES_THAT_ALL_WINGS_SHARE = 2000;

  @Test
  void aFileCanBeReadInOneGo() throws IOException {
    assertThat(sources())
        .isNotEmpty()
        .filteredOn(file -> lines(file) > LINES_OF_A_FILE)
        .as("files of more than %d lines", LINES_OF_A_FILE)
        .isEmpty();
  }

  /** Whoever works on any wing has to know it; what needs no session has a package of its own. */
  @Test
  void whatAllWingsShareOfPostgresCanBeReadInOneGo() throws IOException {
    try (Stream<Path> files = Files.list(CORE.resolve("postgres"))) {
      assertThat(files.filter(Files::isRegularFile).mapToLong(SourcesTest::lines).sum())
          .isPositive()
          .isLessThanOrEqualTo(LINES_THAT_ALL_WINGS_SHARE);
    }
  }

  @Test
  void aConstructorHasFiveParametersAtMost() throws IOException {
    assertThat(Constructors.ofMoreThan(MOST_PARAMETERS, Constructors.files(sources()))).isEmpty();
  }

  @Test
  void aConstructorOfMoreIsFoundUnlessARecordHasItAnyway() throws IOException {
    assertThat(
            Constructors.ofMoreThan(
                2,
                Constructors.text(
                    """
                    class Some {
                      Some(int a, int b) {}
                      record Full(int a, int b, int c) { Full(int a, int b, int c) {} }
                      record Compact(int a, int b, int c) { Compact {} }
                      record More(int a) { More(int a, int b, int c) { this(a); } }
                      static class Within { Within(int a, int b, int c) {} }
                    }
                    """)))
        .containsExactlyInAnyOrder("More of Some.java", "Within of Some.java");
  }

  /** Of both modules. */
  static List<Path> sources() throws IOException {
    try (Stream<Path> core = Files.walk(CORE);
        Stream<Path> app = Files.walk(APP)) {
      return Stream.concat(core, app).filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  private static long lines(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
