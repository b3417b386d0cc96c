package dev.recorder.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.recorder.app.config.ini.Finding;
import dev.recorder.app.config.recorder.FileWriteAccess;
import dev.recorder.app.config.recorder.PathResolution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever may write the file that names a program, or the program, runs code as the recorder. */
class FileWriteAccessTest {
  @TempDir private Path folder;
  private Path program;

  @BeforeEach
  void program() throws IOException {
    Path bin = Files.createDirectory(folder.resolve("bin"));
    program = TestIni.write(bin.resolve("run"), "#!/bin/sh\n", "rwxr-xr-x");
  }

  @Test
  void aFileThatEveryUserMayWriteIsRefusedWithAProgramInIt() throws IOException {
    Path file = write("rw-rw-rw-", true);

    assertThat(errors(file))
        .containsExactly(
            "%s:12: error: handler = exec:…, and every user of this host can write %s, and so choose what runs as the recorder's user; help: chmod o-w %s"
                .formatted(file, file, file));
  }

  @Test
  void withoutAProgramItIsAWarning() throws Exception {
    Path file = write("rw-rw-rw-", false);

    assertThat(ConfigFile.load(file, TestIni.HERE).warnings())
        .extracting(Finding::toString)
        .containsExactly(
            "%s:1: warning: every user of this host can write this file; help: chmod o-w %s"
                .formatted(file, file));
  }

  @Test
  void aProgramThatEveryUserMayWriteIsRefused() throws IOException {
    permit(program, "rwxrwxrwx");
    Path file = write("rw-r--r--", true);

    assertThat(errors(file))
        .hasSize(1)
        .allMatch(said -> said.endsWith("help: chmod o-w " + program));
  }

  @Test
  void aFolderInWhichEveryUserMayReplaceTheProgramIsRefused() throws IOException {
    permit(program.getParent(), "rwxrwxrwx");
    Path file = write("rw-r--r--", true);

    assertThat(errors(file))
        .hasSize(1)
        .allMatch(said -> said.endsWith("help: chmod o-w " + program.getParent()));
  }

  @Test
  void aLinkInSuchAFolderIsRefusedWhereverItLeads() throws IOException {
    Path open = Files.createDirectory(folder.resolve("open"));
    Path link = Files.createSymbolicLink(open.resolve("run"), program);
    permit(open, "rwxrwxrwx");

    assertThat(writers().of(link)).hasValueSatisfying(o -> assertThat(o.path()).isEqualTo(open));
    Path outside = Files.createSymbolicLink(folder.resolve("run"), open.resolve("run"));
    permit(open, "rwxr-xr-x");
    permit(program.getParent(), "rwxrwxrwx");
    assertThat(writers().of(outside))
        .hasValueSatisfying(o -> assertThat(o.remedy()).endsWith(program.getParent().toString()));
  }

  @Test
  void aFolderLikeTheSystemsTemporaryOneIsFine() throws IOException {
    Files.setAttribute(program.getParent(), "unix:mode", 01777);

    assertThat(writers().of(program)).isEmpty();
    assertThat(errors(write("rw-r--r--", true))).isEmpty();
  }

  @Test
  void aGroupCountsUnlessItIsTheOwnersOwn() throws IOException {
    permit(program, "rwxrwxr-x");
    PosixFileAttributes attributes = Files.readAttributes(program, PosixFileAttributes.class);
    boolean own = attributes.owner().getName().equals(attributes.group().getName());

    assertThat(writers().of(program).map(FileWriteAccess.Opening::whom))
        .isEqualTo(
            own
                ? java.util.Optional.empty()
                : java.util.Optional.of("group " + attributes.group()));
    if (attributes.owner().getName().equals("root")) {
      Files.setAttribute(program, "unix:gid", 65_534);
      assertThat(writers().of(program))
          .hasValueSatisfying(o -> assertThat(o.remedy()).isEqualTo("chmod g-w " + program));
    }
  }

  @Test
  void aProgramThatIsNotThereYetIsNobodysIfNobodyElseCanPutOneThere() throws IOException {
    assertThat(writers().of(folder.resolve("nowhere"))).isEmpty();
    assertThat(writers().of(folder.resolve("no/such/folder"))).isEmpty();

    permit(program.getParent(), "rwxrwxrwx");
    Files.delete(program);
    assertThat(errors(write("rw-r--r--", true)))
        .hasSize(1)
        .allMatch(said -> said.endsWith("help: chmod o-w " + program.getParent()));
    Path link = Files.createSymbolicLink(folder.resolve("link"), program);
    assertThat(writers().of(link)).isPresent();
  }

  /** Nobody can replace what is there; but anybody can put there what is not. */
  @Test
  void inAFolderLikeTheSystemsTemporaryOneItIsWhoeverComesFirst() throws IOException {
    Files.setAttribute(program.getParent(), "unix:mode", 01777);
    Files.delete(program);

    assertThat(errors(write("rw-r--r--", true)))
        .hasSize(1)
        .allMatch(said -> said.endsWith("help: chmod o-w " + program.getParent()));
  }

  @Test
  void whatBelongsToAnotherUserIsRefused() throws IOException {
    assumeTrue(Files.getOwner(folder).getName().equals("root"), "only root gives files away");
    Path file = write("rw-r--r--", true);
    Files.setAttribute(program, "unix:uid", 65_534);

    assertThat(errors(file))
        .hasSize(1)
        .allMatch(said -> said.contains("handler = exec:…, and user "))
        .allMatch(said -> said.endsWith("help: chown root " + program));

    Files.setAttribute(program, "unix:uid", 0);
    Files.setAttribute(program.getParent(), "unix:uid", 65_534);
    assertThat(errors(file))
        .allMatch(said -> said.endsWith("help: chown root " + program.getParent()));

    // As an administrator checks the file of the user who runs the recorder.
    Files.setAttribute(file, "unix:uid", 65_534);
    assertThat(errors(file)).isEmpty();
  }

  @Test
  void linksThatLeadNowhereEnd() throws IOException {
    Path one = folder.resolve("one");
    Path other = Files.createSymbolicLink(folder.resolve("other"), one);
    Files.createSymbolicLink(one, Path.of("./other"));

    assertThat(writers().of(other)).isEmpty();
    assertThat(PathResolution.to(folder.resolve("bin/../bin/run")).places()).contains(program);
  }

  private FileWriteAccess writers() {
    return FileWriteAccess.besidesTheOwnerOf(folder);
  }

  private Path write(String permissions, boolean exec) {
    return TestIni.write(
        folder.resolve("recorder.ini"),
        TestIni.minimal(folder)
            .without("recorder:orders")
            .with("recorder:jobs", "lockid = 2", exec ? "handler = exec:" + program : "workers = 1")
            .with("recorder:jobs", "kind = requests")
            .text(),
        permissions);
  }

  private static List<String> errors(Path file) {
    try {
      ConfigFile.load(file, TestIni.HERE);
      return List.of();
    } catch (ConfigException refused) {
      return refused.findings().stream()
          .filter(finding -> finding.severity() == Finding.FindingSeverity.ERROR)
          .map(Finding::toString)
          .toList();
    }
  }

  private static void permit(Path path, String permissions) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }
}
