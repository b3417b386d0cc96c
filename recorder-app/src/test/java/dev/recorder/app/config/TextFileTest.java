package dev.recorder.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.recorder.app.config.ini.TextFile;
import dev.recorder.app.config.ini.TextFileException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextFileTest {
  @TempDir private Path folder;
  private Path file = Path.of("unset");

  @BeforeEach
  void nameTheFile() {
    file = folder.resolve("recorder.ini");
  }

  @Test
  void aMissingFileIsAFinding() {
    assertThat(failure()).isEqualTo(file + ":1: error: file not found; help: check the path");
  }

  @Test
  void aFolderIsAFinding() throws IOException {
    Files.createDirectory(file);

    assertThat(failure())
        .isEqualTo(file + ":1: error: a directory, not a file; help: name the file itself");
  }

  @Test
  void aFileBeyondOneMebibyteIsAFinding() throws IOException {
    Files.write(file, new byte[1024 * 1024 + 1]);

    assertThat(failure())
        .isEqualTo(file + ":1: error: larger than 1MiB; help: keep the file within 1MiB");
  }

  @Test
  void aFileOfExactlyOneMebibyteIsRead() throws IOException, TextFileException {
    Files.writeString(file, ";".repeat(1024 * 1024));

    assertThat(TextFile.read(file, 1024 * 1024)).hasSize(1024 * 1024);
  }

  @Test
  void aFileThatIsNotUtf8IsAFindingOnTheLine() throws IOException {
    Files.write(file, "[s3]\n; gr\u00fcn\n".getBytes(StandardCharsets.ISO_8859_1));

    assertThat(failure()).isEqualTo(file + ":2: error: not UTF-8; help: save the file as UTF-8");
  }

  @Test
  void anUnfinishedCharacterAtTheEndIsAFindingToo() throws IOException {
    Files.write(file, new byte[] {'a', '\n', (byte) 0xc3});

    assertThat(failure()).isEqualTo(file + ":2: error: not UTF-8; help: save the file as UTF-8");
  }

  @Test
  void aFileThatMayNotBeReadIsAFinding() {
    TestIni.write(file, "", "---------");
    assumeFalse(Files.isReadable(file), "root may read everything");

    assertThat(failure()).contains("error: not readable: permission denied");
  }

  @Test
  void aByteOrderMarkIsNotPartOfTheText() throws IOException, TextFileException {
    Files.writeString(file, "\uFEFF[s3]");

    assertThat(TextFile.read(file, 100)).isEqualTo("[s3]");
  }

  private String failure() {
    return catchThrowableOfType(ConfigException.class, () -> ConfigFile.load(file, TestIni.HERE))
        .getMessage();
  }
}
