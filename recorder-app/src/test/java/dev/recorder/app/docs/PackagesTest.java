package dev.recorder.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whoever looks for a package finds in a document what it is for. */
class PackagesTest {
  private static final String CORE = "recorder-core/src/main/java/dev/recorder";
  private static final String APP = "recorder-app/src/main/java/dev/recorder/app";
  private static final Pattern CODE = Pattern.compile("`([a-z0-9.]+)`");

  @Test
  void everyPackageIsInTheTables() {
    String places = between("docs/architecture.md", "## Packages", "\n## A row");

    List<String> named =
        CODE.matcher(places).results().map(found -> found.group(1)).collect(Collectors.toList());

    assertThat(packages().filter(name -> !isSqlOfA(named, name)).toList())
        .hasSizeGreaterThan(30)
        .isSubsetOf(named);
  }

  @Test
  void thePictureHasEveryPackageThatIsNotWithinAnother() {
    List<String> words =
        Pattern.compile("[a-z0-9]+")
            .matcher(between("docs/architecture.md", "```", "\n```\n"))
            .results()
            .map(MatchResult::group)
            .toList();

    assertThat(packages().filter(name -> !name.contains(".")).toList())
        .hasSizeGreaterThan(25)
        .isSubsetOf(words);
  }

  /** The {@code postgres} package of one that is named: the page says what these are. */
  private static boolean isSqlOfA(List<String> named, String name) {
    return name.endsWith(".postgres") && named.contains(name.replace(".postgres", ""));
  }

  /** Of both modules, as they are called within it. */
  private static Stream<String> packages() {
    return Stream.of(CORE, APP).flatMap(PackagesTest::below);
  }

  private static Stream<String> below(String folder) {
    Path root = Documents.path(folder);
    return Documents.files(root, "package-info.java").stream()
        .map(file -> root.relativize(file.getParent()).toString().replace('/', '.'))
        .filter(name -> !name.isEmpty());
  }

  private static String between(String file, String from, String to) {
    String text = Documents.text(file);
    int start = text.indexOf(from) + from.length();
    return text.substring(start, text.indexOf(to, start));
  }
}
