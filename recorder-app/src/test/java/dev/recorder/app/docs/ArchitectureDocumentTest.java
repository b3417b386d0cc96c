package dev.recorder.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The walks of docs/architecture.md pass classes that are there, where it says that they are. */
class ArchitectureDocumentTest {
  private static final List<String> MODULES =
      List.of(
          "recorder-core/src/main/java/dev/recorder",
          "recorder-app/src/main/java/dev/recorder/app");

  private static final Pattern NAMED =
      Pattern.compile("`((?:[a-z0-9]+/)*)([A-Z]\\w*[a-z]\\w*)(?:\\.[a-z]\\w*)?`");

  private static final Pattern DECLARED =
      Pattern.compile("\\b(?:class|interface|enum|record) ([A-Z]\\w*)");

  @Test
  void everyTypeThatIsNamedIsInTheProduct() {
    Set<String> declared = declared().collect(Collectors.toSet());

    assertThat(named().map(found -> found.group(2)).filter(name -> !isTest(name)))
        .hasSizeGreaterThan(100)
        .contains("S3ObjectStore")
        .isSubsetOf(declared);
  }

  @Test
  void everyFileThatIsNamedWithItsFolderIsThere() {
    Set<String> missing = new TreeSet<>();
    named()
        .filter(found -> !found.group(1).isEmpty())
        .map(found -> found.group(1).replaceFirst("^app/", "") + found.group(2) + ".java")
        .filter(file -> MODULES.stream().noneMatch(root -> isFile(root + "/" + file)))
        .forEach(missing::add);

    assertThat(missing).isEmpty();
  }

  private static Stream<MatchResult> named() {
    return NAMED.matcher(Documents.text("docs/architecture.md")).results();
  }

  private static boolean isTest(String name) {
    return name.endsWith("Test") || name.endsWith("IT");
  }

  private static boolean isFile(String path) {
    return Documents.path(path).toFile().isFile();
  }

  /** Nested ones included. */
  private static Stream<String> declared() {
    return MODULES.stream()
        .flatMap(root -> Documents.files(Documents.path(root), ".java").stream())
        .flatMap(file -> DECLARED.matcher(Documents.text(file)).results())
        .map(found -> found.group(1));
  }
}
