package dev.recorder.app.config.connection;

import static dev.recorder.app.config.connection.DatabaseConfig.ENDPOINT;
import static dev.recorder.app.config.connection.DatabaseConfig.PASSWORD;
import static dev.recorder.app.config.connection.DatabaseConfig.PASSWORD_FILE;
import static dev.recorder.app.config.connection.DatabaseConfig.REGION;
import static dev.recorder.app.config.connection.DatabaseConfig.SECRET;
import static dev.recorder.app.config.connection.DatabaseConfig.SSLMODE;

import dev.recorder.app.config.ini.SectionReader;
import dev.recorder.app.config.ini.Setting;
import dev.recorder.app.config.ini.TextFile;
import dev.recorder.app.config.ini.TextFileException;
import dev.recorder.app.config.value.Secret;
import dev.recorder.app.config.value.SslMode;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a password from the file, or from the first line of a file of its own. The word {@link
 * #RDS_IAM} stands for RDS tokens. Without a password, it is in an AWS secret, or the driver looks
 * in {@code ~/.pgpass}.
 */
final class PasswordReader {
  /** Written in place of a password: each login uses a new token. */
  static final String RDS_IAM = "rds-iam";

  private static final Pattern RDS_ENDPOINT =
      Pattern.compile(".*\\.([a-z0-9-]+)\\.rds\\.amazonaws\\.com(\\.cn)?");

  private PasswordReader() {}

  /** Puts the password into effect, whatever its source. */
  static void read(SectionReader reader, Path configFile) {
    Path file = reader.optional(PASSWORD_FILE);
    Secret written = reader.optional(PASSWORD);
    if (written != null && written.reveal().equals(RDS_IAM)) {
      readForTokens(reader);
    } else if (reader.has(PASSWORD) && TextFile.worldReadable(configFile)) {
      reader.warning(
          PASSWORD,
          "the file holds a password and every user of this host can read it",
          "chmod o-r " + configFile + ", or use password_file");
    }
    List<Setting<?>> sources =
        Stream.<Setting<?>>of(PASSWORD, PASSWORD_FILE, SECRET)
            .filter(reader::has)
            .sorted(Comparator.comparingInt(reader::line))
            .toList();
    if (sources.size() > 1) {
      two(reader, sources.get(0), sources.get(1));
    } else if (file != null) {
      reader.set(PASSWORD, fromFile(reader, configFile.resolveSibling(file)));
    }
    reader.set(PASSWORD_FILE, null);
  }

  private static void readForTokens(SectionReader reader) {
    SslMode mode = reader.value(SSLMODE);
    if (mode.compareTo(SslMode.REQUIRE) < 0) {
      reader.error(
          PASSWORD,
          "password = %s needs TLS, and sslmode is %s".formatted(RDS_IAM, mode),
          "write sslmode = verify-full, and sslrootcert");
    }
    String endpoint = reader.optional(ENDPOINT);
    if (reader.optional(REGION) == null && endpoint != null) {
      Matcher rds = RDS_ENDPOINT.matcher(endpoint.toLowerCase(Locale.ROOT));
      if (rds.matches()) {
        reader.set(REGION, rds.group(1));
      } else {
        reader.error(
            PASSWORD,
            "password = %s needs a region, and endpoint %s does not name one"
                .formatted(RDS_IAM, endpoint),
            "write region = the AWS region of the database");
      }
    }
  }

  private static void two(SectionReader reader, Setting<?> earlier, Setting<?> later) {
    String better =
        earlier.equals(PASSWORD)
            ? ", better " + later.key()
            : later.equals(PASSWORD) ? ", better " + earlier.key() : "";
    reader.error(
        later,
        "%s, but there is a %s on line %d already"
            .formatted(later.key(), earlier.key(), reader.line(earlier)),
        "keep one of the two" + better);
  }

  /**
   * Returns the present password. Returns {@code before} while the file cannot be read or is empty.
   */
  private static String later(Path file, String before) {
    try {
      String now = TextFile.firstLine(file);
      return now.isEmpty() ? before : now;
    } catch (TextFileException unusable) {
      return before;
    }
  }

  private static @Nullable Secret fromFile(SectionReader reader, Path file) {
    String password = TextFile.secret(file, reader, PASSWORD_FILE);
    if (password == null) {
      return null;
    } else if (password.isEmpty()) {
      reader.error(
          PASSWORD_FILE,
          "password_file %s has nothing on its first line".formatted(file),
          "write the password there");
    }
    return new Secret(password, () -> later(file, password));
  }
}
