package dev.recorder.app.config;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** {@code [http]}. */
final class HttpReader {
  private static final int MAX_FILE_BYTES = 16 * 1024;

  private HttpReader() {}

  static Buildable<HttpConfig> read(SectionReader reader, Path configFile) {
    String listen = reader.required(HttpConfig.LISTEN);
    Path file = reader.optional(HttpConfig.TOKEN_FILE);
    reader.reportUnknownKeys();
    Secret token = file == null ? null : token(reader, configFile.resolveSibling(file));
    if (listen != null && !HttpConfig.isLoopback(listen) && !reader.has(HttpConfig.TOKEN_FILE)) {
      reader.error(
          HttpConfig.LISTEN,
          "listen = %s can be reached from other hosts, and the page and /metrics ask for nothing"
              .formatted(listen),
          "write token_file = a path, or listen = 127.0.0.1:9747");
    }
    return () -> new HttpConfig(requireNonNull(listen), token);
  }

  /** Of ASCII what is printed: as what else clients send it, each decides for itself. */
  private static boolean canBeSent(int character) {
    return character >= ' ' && character <= '~';
  }

  private static @Nullable Secret token(SectionReader reader, Path file) {
    try {
      String token = TextFile.read(file, MAX_FILE_BYTES).lines().findFirst().orElse("").strip();
      if (TextFile.worldReadable(file)) {
        reader.warning(
            HttpConfig.TOKEN_FILE,
            "token_file %s can be read by every user of this host".formatted(file),
            "chmod o-r " + file);
      }
      if (token.length() < HttpConfig.SHORTEST_TOKEN) {
        reader.error(
            HttpConfig.TOKEN_FILE,
            "token_file %s has fewer than %d characters on its first line"
                .formatted(file, HttpConfig.SHORTEST_TOKEN),
            "write a token there, such as openssl rand -hex 32 makes one");
        return null;
      }
      if (!token.chars().allMatch(HttpReader::canBeSent)) {
        reader.error(
            HttpConfig.TOKEN_FILE,
            "token_file %s has characters on its first line that no header of HTTP can carry"
                .formatted(file),
            "write a token of ASCII letters and digits there, such as openssl rand -hex 32 makes one");
        return null;
      }
      return new Secret(token);
    } catch (TextFileException unusable) {
      reader.error(
          HttpConfig.TOKEN_FILE,
          "token_file %s: %s".formatted(file, unusable.what()),
          unusable.help());
      return null;
    }
  }
}
