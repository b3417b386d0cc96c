package dev.recorder.app.config;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;

/** {@code [redis]}. */
final class RedisReader {
  private RedisReader() {}

  static Buildable<RedisConfig> read(SectionReader reader, Path configFile) {
    String endpoint = reader.required(RedisConfig.ENDPOINT);
    int port = reader.value(RedisConfig.PORT);
    String user = reader.optional(RedisConfig.USER);
    Secret password = PasswordReader.read(reader, configFile);
    Boolean tls = reader.optional(RedisConfig.TLS);
    String prefix = reader.value(RedisConfig.PREFIX);
    Duration expiry = reader.value(RedisConfig.EXPIRY);
    reader.reportUnknownKeys();
    boolean asksForPassword =
        reader.has(RedisConfig.PASSWORD) || reader.has(RedisConfig.PASSWORD_FILE);
    if (user != null && !asksForPassword) {
      reader.error(
          RedisConfig.USER, "user without a password", "write password_file, or leave user out");
    }
    return () ->
        new RedisConfig(
            requireNonNull(endpoint),
            port,
            user,
            password,
            Boolean.TRUE.equals(tls),
            prefix,
            expiry);
  }
}
