package dev.recorder.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.config.host.MachineIdentity;
import dev.recorder.app.config.ini.Finding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builds a configuration from the smallest one that is right, and loads it from a real file. */
public final class TestIni {
  /** A host called {@code here}, asked without firmware and without network. */
  static final MachineIdentity HERE =
      new MachineIdentity(Path.of("/nonexistent"), Optional::empty, () -> Optional.of("here"));

  private final Path folder;
  private final Map<String, List<String>> sections = new LinkedHashMap<>();

  private TestIni(Path folder) {
    this.folder = folder;
  }

  public static TestIni minimal(Path folder) {
    return new TestIni(folder)
        .with("machine", "name = a")
        .with("postgredb", "endpoint = db", "database = app", "user = rec")
        .with("s3", "region = eu-central-1", "bucket = bucket")
        .with("recorder:orders", "lockid = 1", "primary = true");
  }

  /** The same with requests beside the log. */
  static TestIni withRequests(Path folder, String... lines) {
    return minimal(folder)
        .with("recorder:jobs", "lockid = 2", "kind = requests")
        .with("recorder:jobs", lines);
  }

  /** Adds lines to a section, or a section at the end. */
  public TestIni with(String section, String... lines) {
    sections.computeIfAbsent(section, name -> new ArrayList<>()).addAll(List.of(lines));
    return this;
  }

  public TestIni without(String section) {
    sections.remove(section);
    return this;
  }

  TestIni without(String section, String line) {
    if (!sections.getOrDefault(section, new ArrayList<>()).remove(line)) {
      throw new IllegalArgumentException("no such line: " + line);
    }
    return this;
  }

  /** Puts a line in the place of that of the same key, if the section has one. */
  public TestIni set(String section, String line) {
    String key = line.substring(0, line.indexOf('=') + 1);
    sections.getOrDefault(section, new ArrayList<>()).removeIf(other -> other.startsWith(key));
    return with(section, line);
  }

  /** The line's number, the first being 1. */
  int line(String content) {
    int index = List.of(text().split("\n", -1)).indexOf(content);
    if (index < 0) {
      throw new IllegalArgumentException("no such line: " + content);
    }
    return index + 1;
  }

  String text() {
    StringBuilder text = new StringBuilder();
    sections.forEach(
        (name, lines) -> {
          text.append('[').append(name).append("]\n");
          lines.forEach(line -> text.append(line).append('\n'));
        });
    return text.toString();
  }

  /** The file itself. */
  public Path write() {
    return write(folder, text());
  }

  public RecorderConfig load() {
    try {
      return ConfigFile.load(write(), HERE);
    } catch (ConfigException wrong) {
      throw new AssertionError(wrong.getMessage(), wrong);
    }
  }

  /** What is in effect of one section, a line for each key. */
  static List<String> inEffect(RecorderConfig config, String section) {
    return config
        .effective()
        .lines()
        .dropWhile(line -> !line.equals("[" + section + "]"))
        .skip(1)
        .takeWhile(line -> !line.startsWith("["))
        .toList();
  }

  /** Errors and warnings as {@code line: severity: what; help: …}. */
  List<String> findings() {
    return findings(folder, text());
  }

  /** Nothing is said but this of that line. */
  void says(String line, String said) {
    assertThat(findings()).containsExactly(line(line) + ": " + said);
  }

  /** One thing is said, and begins so, of that line. */
  void saysFirst(String line, String start) {
    assertThat(findings())
        .hasSize(1)
        .allSatisfy(said -> assertThat(said).startsWith(line(line) + ": " + start));
  }

  static List<String> findings(Path folder, String text) {
    return findings(write(folder, text), HERE);
  }

  static List<String> findings(Path file, MachineIdentity identity) {
    List<Finding> findings;
    try {
      findings = ConfigFile.load(file, identity).warnings();
    } catch (ConfigException wrong) {
      findings = wrong.findings();
    }
    return findings.stream().map(f -> f.toString().replace(file + ":", "")).toList();
  }

  /** Readable by the owner only, as it may hold a password. */
  static Path write(Path folder, String text) {
    return write(folder.resolve("recorder.ini"), text, "rw-------");
  }

  static Path write(Path file, String text, String permissions) {
    try {
      Files.writeString(file, text);
      return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
