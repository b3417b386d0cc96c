package dev.recorder.app.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramTest {
  @TempDir private Path folder;
  private Path first;
  private Path second;

  @BeforeEach
  void twoFolders() throws IOException {
    first = Files.createDirectory(folder.resolve("first"));
    second = Files.createDirectory(folder.resolve("second"));
  }

  @Test
  void aNameIsLookedForInEveryFolder() throws IOException {
    file(second.resolve("tool"), "rwxr-xr-x");

    assertThat(look("tool")).isEqualTo(Program.FOUND);
    assertThat(look("tol")).isEqualTo(Program.NOT_FOUND);
    assertThat(Program.look("tool", "")).isEqualTo(Program.NOT_FOUND);
    assertThat(look("")).isEqualTo(Program.NOT_FOUND);
  }

  @Test
  void whatCannotBeExecutedIsPassedOverAndNamedOnlyIfThereIsNothingElse() throws IOException {
    file(first.resolve("tool"), "rw-r--r--");
    assertThat(look("tool")).isEqualTo(Program.NOT_EXECUTABLE);

    file(second.resolve("tool"), "rwxr-xr-x");
    assertThat(look("tool")).isEqualTo(Program.FOUND);
  }

  @Test
  void aPathIsTakenAsItIsAndAFolderIsNoProgram() throws IOException {
    Path tool = file(first.resolve("tool"), "rwxr-xr-x");

    assertThat(look(tool.toString())).isEqualTo(Program.FOUND);
    assertThat(look("./first/tool")).isEqualTo(Program.NOT_FOUND);
    assertThat(look(first.toString())).isEqualTo(Program.NOT_EXECUTABLE);
  }

  private Program look(String name) {
    return Program.look(name, first + ":" + second);
  }

  private static Path file(Path path, String rights) throws IOException {
    Files.writeString(path, "");
    return Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
  }
}
