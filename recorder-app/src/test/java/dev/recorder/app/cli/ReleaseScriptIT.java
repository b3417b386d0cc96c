package dev.recorder.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code scripts/release} in a clone that has what names the version. */
@Tag("nightly")
class ReleaseScriptIT {
  /** Where users and builds read; not the sources, which name no version. */
  private static final List<String> TREE =
      List.of(
          "pom.xml",
          "recorder-core/pom.xml",
          "recorder-app/pom.xml",
          "CHANGELOG.md",
          "README.md",
          "docs",
          "ops",
          "conf",
          "scripts");

  private static final String VERSION = "97.98.99";

  @TempDir private Path folder;
  private Path clone;

  private record Outcome(int exitCode, String output) {}

  @BeforeEach
  void cloneTheProject() throws Exception {
    Path origin = Files.createDirectories(folder.resolve("origin"));
    for (String name : TREE) {
      copy(Path.of("..", name), origin.resolve(name));
    }
    Files.writeString(origin.resolve("CHANGELOG.md"), changelog("- Something new."));
    git(origin, "init", "-q");
    git(origin, "add", "-A");
    git(origin, "commit", "-qm", "a state");
    clone = folder.resolve("clone");
    git(folder, "clone", "-q", origin.toString(), clone.toString());
  }

  @Test
  void setsTheVersionWhereverItStandsDatesTheChangelogCommitsAndTags() throws Exception {
    String before = version();

    Outcome outcome = release(VERSION);

    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    assertThat(outcome.output()).contains("-Pdist", "git push origin HEAD v" + VERSION);
    assertThat(version()).isEqualTo(VERSION);
    assertThat(namesOfPackages()).isNotEmpty().allMatch(name -> name.contains(VERSION));
    assertThat(text("recorder-core/pom.xml")).contains(tag(VERSION)).doesNotContain(tag(before));
    assertThat(text("recorder-app/pom.xml")).contains(tag(VERSION)).doesNotContain(tag(before));
    assertThat(text("docs/embedding.md")).contains(tag(VERSION)).doesNotContain(tag(before));
    assertThat(text("CHANGELOG.md")).isEqualTo(released("- Something new."));
    assertThat(git(clone, "status", "--porcelain")).isEmpty();
    assertThat(git(clone, "cat-file", "-t", "v" + VERSION)).isEqualTo("tag\n");
    assertThat(git(clone, "rev-parse", "v" + VERSION + "^{}"))
        .isEqualTo(git(clone, "rev-parse", "HEAD"));
    assertThat(git(clone, "show", "--format=", "--name-only")).doesNotContain("scripts");
  }

  /** Libraries have versions, too, and some of them that of the project. */
  @Test
  void changesNoVersionButTheProjects() throws Exception {
    assertThat(release(VERSION).exitCode()).isZero();

    assertThat(git(clone, "show", "--format=", "--numstat", "HEAD", "--", "*pom.xml"))
        .isEqualTo("1\t1\tpom.xml\n1\t1\trecorder-app/pom.xml\n1\t1\trecorder-core/pom.xml\n");
  }

  @Test
  void aFirstReleaseDatesTheEntriesThatStandUnderItsVersion() throws Exception {
    write("CHANGELOG.md", "## [Unreleased]\n\n## [%s]\n\nThe first.\n".formatted(VERSION));

    assertThat(release(VERSION).exitCode()).isZero();

    assertThat(text("CHANGELOG.md"))
        .isEqualTo("## [Unreleased]\n\n## [%s] - %s\n\nThe first.\n".formatted(VERSION, today()));
  }

  @Test
  void aDryRunShowsAllAndChangesNothing() throws Exception {
    String before = git(clone, "rev-parse", "HEAD");

    Outcome outcome = release("--dry-run", VERSION);

    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    assertThat(outcome.output())
        .contains("+  " + tag(VERSION), "+## [" + VERSION + "] - " + today(), "v" + VERSION);
    assertThat(git(clone, "status", "--porcelain") + git(clone, "tag")).isEmpty();
    assertThat(git(clone, "rev-parse", "HEAD")).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.2", "v1.2.3", "1.2.3-rc1", "1.02.3", "1.2.3.4", ""})
  void refusesWhatIsNoVersion(String version) throws Exception {
    refused(2, "X.Y.Z", version);
  }

  @Test
  void refusesAVersionThatIsNotAboveTheLast() throws Exception {
    git(clone, "tag", "v97.98.100");
    git(clone, "tag", "v97.98.9");

    refused(1, "not above 97.98.100", VERSION);
  }

  @Test
  void refusesATagThatIsThere() throws Exception {
    git(clone, "tag", "v" + VERSION);

    refused(1, "already there", VERSION);
  }

  @Test
  void refusesACheckoutWithChanges() throws Exception {
    Files.writeString(clone.resolve("new"), "");

    Outcome outcome = release(VERSION);

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.output()).contains("not committed");
    assertThat(git(clone, "tag")).isEmpty();
  }

  @Test
  void refusesAChangelogWithoutEntries() throws Exception {
    write("CHANGELOG.md", changelog(""));

    refused(1, "no entries under [Unreleased]", VERSION);
  }

  @Test
  void refusesEntriesInTwoPlacesAsSomeWouldBeLeftOut() throws Exception {
    write("CHANGELOG.md", "## [Unreleased]\n\n- A.\n\n## [%s]\n\n- B.\n".formatted(VERSION));

    refused(1, "join them", VERSION);
  }

  @Test
  void refusesAPlaceThatDoesNotNameTheVersion() throws Exception {
    write("docs/embedding.md", "Without it.\n");

    refused(1, "docs/embedding.md does not name the version", VERSION);
  }

  private void refused(int exitCode, String why, String version) throws Exception {
    String before = git(clone, "tag") + git(clone, "rev-parse", "HEAD");

    Outcome outcome = release(version);

    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(exitCode);
    assertThat(outcome.output()).contains(why).hasLineCount(1);
    assertThat(git(clone, "tag") + git(clone, "rev-parse", "HEAD")).isEqualTo(before);
    assertThat(git(clone, "status", "--porcelain")).isEmpty();
  }

  private static String changelog(String entries) {
    return "# Changelog\n\n## [Unreleased]\n\n"
        + entries
        + "\n\n## [0.9.0] - 2026-01-01\n\n- Old.\n";
  }

  private static String released(String entries) {
    return changelog(entries)
        .replace(
            "## [Unreleased]\n", "## [Unreleased]\n\n## [" + VERSION + "] - " + today() + "\n");
  }

  private static String today() {
    return LocalDate.now(ZoneOffset.UTC).toString();
  }

  private String version() throws IOException {
    return text("pom.xml").replaceFirst("(?s).*?recorder-parent.*?<version>([^<]*)<.*", "$1");
  }

  private static String tag(String version) {
    return "<version>" + version + "</version>";
  }

  private List<String> namesOfPackages() throws Exception {
    return git(clone, "grep", "-ohE", "recorder[-_][0-9.]+(\\.noarch|_all)", "--", "docs", "ops")
        .lines()
        .toList();
  }

  private String text(String file) throws IOException {
    return Files.readString(clone.resolve(file));
  }

  private void write(String file, String text) throws Exception {
    Files.writeString(clone.resolve(file), text);
    git(clone, "commit", "-qam", "a change");
  }

  private Outcome release(String... args) throws Exception {
    return run(
        clone, Stream.concat(Stream.of(clone + "/scripts/release"), Stream.of(args)).toList());
  }

  private static String git(Path folder, String... args) throws Exception {
    Outcome outcome = run(folder, Stream.concat(Stream.of("git"), Stream.of(args)).toList());
    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    return outcome.output();
  }

  private static Outcome run(Path folder, List<String> line) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(line).directory(folder.toFile());
    builder.redirectErrorStream(true);
    // Whoever runs the tests may have settings of git, and be in one of its hooks.
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("GIT_"));
    environment.putAll(
        Map.of(
            "GIT_CONFIG_GLOBAL", "/dev/null",
            "GIT_CONFIG_NOSYSTEM", "1",
            "GIT_AUTHOR_NAME", "A",
            "GIT_AUTHOR_EMAIL", "a@example.com",
            "GIT_COMMITTER_NAME", "A",
            "GIT_COMMITTER_EMAIL", "a@example.com"));
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), output);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        Files.createDirectories(target.getParent());
        Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }
}
