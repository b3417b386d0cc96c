package dev.recorder.app.config;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.recorder.app.config.FileEditException.FileEditErrorKind;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code primary} in real files. */
class PrimaryEditTest {
  private static final String TEXT =
      """
      ; ours
      [machine]
      name = a
      [postgredb]
      endpoint = db
      database = app
      user = rec
      [s3]
      region = eu-central-1
      bucket = bucket

      # the second comes first
      [recorder:second]
      lockid = 2
      primary =   true
      [recorder:orders]
      primary = "true"
      lockid = 1
      """;

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(folder.resolve("recorder.ini"), TEXT);
  }

  @Test
  void oneWordOfTheFileChangesAndNothingElse() throws Exception {
    assertThat(edit("second", false)).isEqualTo(new PrimaryEdit.Edited(true, 15, ""));
    assertThat(text()).isEqualTo(TEXT.replace("primary =   true", "primary =   false"));

    edit("orders", false);
    edit("second", true);
    assertThat(text()).isEqualTo(TEXT.replace("\"true\"", "\"false\""));
    assertThat(folder).isDirectoryNotContaining(other -> !other.equals(file));
  }

  @Test
  void lineEndsAndAByteOrderMarkStay() throws Exception {
    String windows = "\uFEFF" + TEXT.replace("\n", "\r\n").stripTrailing();
    Files.writeString(file, windows);

    edit("orders", false);

    assertThat(text()).isEqualTo(windows.replace("\"true\"", "\"false\""));
  }

  @Test
  void whatItSaysAlreadyIsNotWritten() throws Exception {
    Object before = Files.getAttribute(file, "unix:ino");

    assertThat(edit("orders", true)).isEqualTo(new PrimaryEdit.Edited(false, 17, ""));

    assertThat(Files.getAttribute(file, "unix:ino")).isEqualTo(before);
  }

  @Test
  void modeAndOwnerStay() throws Exception {
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    List<Object> before = dress();

    edit("orders", false);

    assertThat(dress()).isEqualTo(before);
  }

  private List<Object> dress() throws IOException {
    return List.of(
        Files.getPosixFilePermissions(file),
        Files.getAttribute(file, "unix:uid"),
        Files.getAttribute(file, "unix:gid"));
  }

  @Test
  void whoReadsTheOldFileReadsItWhole() throws Exception {
    try (FileChannel reader = FileChannel.open(file, StandardOpenOption.READ)) {
      edit("orders", false);
      assertThat(reader.size()).isEqualTo(TEXT.length());
    }
  }

  @Test
  void linksAreFollowedAndStayLinks() throws Exception {
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Path second = Files.createSymbolicLink(elsewhere.resolve("second.ini"), file);
    Path first = Files.createSymbolicLink(folder.resolve("first.ini"), second);

    PrimaryEdit.of(first, TestIni.HERE).set("orders", false);

    assertThat(text()).contains("\"false\"");
    assertThat(Stream.of(first, second)).allMatch(Files::isSymbolicLink);
    assertThat(elsewhere).isDirectoryNotContaining(other -> !other.equals(second));
  }

  @Test
  void aFileWithAnErrorIsNotChangedAndTheErrorIsNamedWithItsLine() throws Exception {
    Files.writeString(file, TEXT + "lingr = 1s\n");

    assertThatThrownBy(() -> edit("orders", false))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("recorder.ini:19: error: ")
        .hasMessageContaining("linger");
    assertThat(text()).isEqualTo(TEXT + "lingr = 1s\n");
  }

  @Test
  void aFileThatIsNotThereIsNamed() throws Exception {
    Files.delete(file);

    assertThatThrownBy(() -> edit("orders", false))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("file not found");
  }

  @Test
  void aRecorderOfRequestsHasNoSuchLine() throws Exception {
    Files.writeString(file, TEXT + "[recorder:jobs]\nlockid = 3\nkind = requests\n");

    assertRefused(
        "jobs", FileEditErrorKind.FORM, "recorder.ini:19: [recorder:jobs] has no key primary");
  }

  @Test
  void aFileWithSeveralNamesIsLeftAlone() throws Exception {
    Files.createLink(folder.resolve("other-name.ini"), file);

    assertRefused("orders", FileEditErrorKind.FORM, "hard links");
  }

  @Test
  void whatSomebodyElseChangesMeanwhileIsLeftAlone() throws Exception {
    try (FileTurn turn = FileTurn.tryTake(file)) {
      byte[] before = turn.bytes();
      Files.writeString(file, "in its place");
      assertLeftAlone(turn, before);

      Files.move(Files.write(folder.resolve("other"), before), file, REPLACE_EXISTING);
      assertLeftAlone(turn, before);
    }
    assertThat(folder).isDirectoryNotContaining(other -> !other.equals(file));
  }

  @Test
  void aFileInAFolderThatCannotBeSynchronisedIsChangedAndThatIsSaid() throws Exception {
    try (FileTurn turn = FileTurn.tryTake(file)) {
      FileReplacement.FolderSync refused =
          parent -> {
            throw new AccessDeniedException(parent.toString());
          };

      String doubt =
          new FileReplacement(file, turn, refused)
              .replace(turn.bytes(), "new".getBytes(StandardCharsets.UTF_8));

      assertThat(doubt).contains("recorder.ini is changed", "crash", folder.toString());
    }
    assertThat(text()).isEqualTo("new");
    assertThat(folder).isDirectoryNotContaining(other -> !other.equals(file));
  }

  @Test
  void twoProgramsTakeTurnsAndATurnEndsWithTheFileThatItWasTakenOn() throws Exception {
    try (FileTurn first = FileTurn.tryTake(file)) {
      assertThat(first).isNotNull();
      assertThat(FileTurn.tryTake(file)).isNull();
      new FileReplacement(file, first)
          .replace(TEXT.getBytes(StandardCharsets.UTF_8), "new".getBytes(StandardCharsets.UTF_8));
      try (FileTurn second = FileTurn.tryTake(file)) {
        assertThat(second).as("a turn on the new file").isNotNull();
      }
    }
  }

  /** Whoever closes a file has no lock on it any more, by whatever name the file was opened. */
  @Test
  void whoReadsTheFileInItsTurnStillHasTheTurn() throws Exception {
    Path locks = Path.of("/proc/locks");
    assumeThat(locks).exists();
    String lock =
        " %d .*:%s ".formatted(ProcessHandle.current().pid(), Files.getAttribute(file, "unix:ino"));
    try (FileTurn turn = FileTurn.tryTake(file)) {
      assertThat(turn.bytes()).asString().isEqualTo(TEXT);
      assertThat(turn.stillSays(turn.bytes())).isTrue();
      assertThat(Files.readString(locks)).containsPattern(lock);
    }
    assertThat(Files.readString(locks)).doesNotContainPattern(lock);
  }

  private void assertLeftAlone(FileTurn turn, byte[] before) {
    assertThatThrownBy(() -> new FileReplacement(file, turn).replace(before, new byte[0]))
        .isInstanceOfSatisfying(
            FileEditException.class, e -> assertThat(e.kind()).isEqualTo(FileEditErrorKind.BUSY));
  }

  private PrimaryEdit.Edited edit(String recorder, boolean primary) throws Exception {
    return PrimaryEdit.of(file, TestIni.HERE).set(recorder, primary);
  }

  private void assertRefused(String recorder, FileEditErrorKind kind, String why) throws Exception {
    String before = text();
    assertThatThrownBy(() -> edit(recorder, false))
        .hasMessageContaining(why)
        .isInstanceOfSatisfying(FileEditException.class, e -> assertThat(e.kind()).isEqualTo(kind));
    assertThat(text()).isEqualTo(before);
  }

  private String text() throws IOException {
    return Files.readString(file);
  }
}
