package dev.recorder.app.config.ini;

import dev.recorder.app.config.value.ByteSize;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import org.jspecify.annotations.Nullable;

/**
 * Reads small UTF-8 files whole. The size is bounded, so that a wrong path cannot exhaust the
 * memory.
 */
public final class TextFile {
  private static final int MAX_SECRET_BYTES = 16 * 1024;

  private TextFile() {}

  /** Reads the text, without a byte order mark. */
  public static String read(Path file, int maxBytes) throws TextFileException {
    byte[] bytes = bytes(file, maxBytes);
    CharBuffer text = CharBuffer.allocate(bytes.length);
    ByteBuffer input = ByteBuffer.wrap(bytes);
    CoderResult result = StandardCharsets.UTF_8.newDecoder().decode(input, text, true);
    if (result.isError()) {
      throw new TextFileException(
          lineAt(bytes, input.position()), "not UTF-8", "save the file as UTF-8");
    }
    String decoded = text.flip().toString();
    return decoded.startsWith("\uFEFF") ? decoded.substring(1) : decoded;
  }

  /**
   * Returns the first line of a file that holds a secret. Reports an unusable file, and returns
   * null.
   */
  public static @Nullable String secret(Path file, SectionReader reader, Setting<?> setting) {
    try {
      String secret = firstLine(file);
      if (worldReadable(file)) {
        reader.warning(
            setting,
            "%s %s can be read by every user of this host".formatted(setting.key(), file),
            "chmod o-r " + file);
      }
      return secret;
    } catch (TextFileException unusable) {
      reader.error(
          setting, "%s %s: %s".formatted(setting.key(), file, unusable.what()), unusable.help());
      return null;
    }
  }

  public static String firstLine(Path file) throws TextFileException {
    return read(file, MAX_SECRET_BYTES).lines().findFirst().orElse("");
  }

  /** Whether every user of the host may read the file; false without POSIX permissions. */
  public static boolean worldReadable(Path file) {
    try {
      return Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ);
    } catch (IOException | UnsupportedOperationException unknown) {
      return false;
    }
  }

  private static byte[] bytes(Path file, int maxBytes) throws TextFileException {
    if (Files.isDirectory(file)) {
      throw new TextFileException(1, "a directory, not a file", "name the file itself");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(maxBytes + 1);
      if (bytes.length > maxBytes) {
        String max = new ByteSize(maxBytes).toString();
        throw new TextFileException(1, "larger than " + max, "keep the file within " + max);
      }
      return bytes;
    } catch (NoSuchFileException missing) {
      throw new TextFileException(1, "file not found", "check the path");
    } catch (AccessDeniedException denied) {
      throw new TextFileException(
          1, "not readable: permission denied", "let the user that runs the recorder read it");
    } catch (IOException broken) {
      throw new TextFileException(
          1, "not readable: " + broken.getMessage(), "check the file and the disk it is on");
    }
  }

  private static int lineAt(byte[] bytes, int position) {
    int line = 1;
    for (int i = 0; i < position; i++) {
      if (bytes[i] == '\n') {
        line++;
      }
    }
    return line;
  }
}
