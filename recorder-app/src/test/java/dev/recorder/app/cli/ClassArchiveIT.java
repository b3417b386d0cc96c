package dev.recorder.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.recorder.app.harness.Product;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive of classes that the launcher makes, with virtual machines as they are. */
class ClassArchiveIT {
  private static final Path OURS = Path.of(System.getProperty("java.home"));

  @TempDir private Path home;

  @BeforeEach
  void install() throws IOException {
    Path bin = Files.createDirectories(home.resolve("bin")).resolve("recorder");
    Files.copy(Path.of("..", "scripts", "recorder"), bin, StandardCopyOption.COPY_ATTRIBUTES);
    Files.createSymbolicLink(home.resolve("lib"), Product.lib().toAbsolutePath());
  }

  @Test
  void oneThatIsNoneStopsNoStartAndIsNotSpokenOf() throws Exception {
    for (String content : List.of("", "no archive\n".repeat(10_000))) {
      Files.writeString(archive(), content);

      assertThat(version(OURS)).startsWith("recorder ").hasLineCount(1);
      assertThat(archive()).hasContent(content);
    }
  }

  @Tag("nightly")
  @Test
  void oneOfAnotherJvmStopsNoStartAndIsNotSpokenOf() throws Exception {
    Optional<Path> other = anotherJvm();
    assumeTrue(other.isPresent(), "no other JVM here");
    for (Path maker : List.of(OURS, other.get())) {
      Files.deleteIfExists(archive());
      String version = version(maker);
      long size = Files.size(archive());
      assertThat(size).as("an archive, made by %s", maker).isPositive();

      for (Path user : List.of(OURS, other.get())) {
        assertThat(version(user)).as("%s, used by %s", maker, user).isEqualTo(version);
      }
      assertThat(archive()).hasSize(size);
    }
  }

  private Path archive() {
    return home.resolve("recorder.jsa");
  }

  /** All that it says. */
  private String version(Path jvm) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(home.resolve("bin/recorder").toString(), "--version")
            .redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", jvm.toString());
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  private static Optional<Path> anotherJvm() throws IOException {
    Path installed = Path.of("/usr/lib/jvm");
    if (!Files.isDirectory(installed)) {
      return Optional.empty();
    }
    try (Stream<Path> all = Files.list(installed)) {
      return all.filter(jvm -> Files.isExecutable(jvm.resolve("bin/java")))
          .filter(jvm -> !jvm.getFileName().toString().contains("17"))
          .findFirst();
    }
  }
}
