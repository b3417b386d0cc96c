package dev.recorder.app.config.host;

import static java.util.Objects.requireNonNull;

import dev.recorder.app.config.ini.Deferred;
import dev.recorder.app.config.ini.SectionReader;
import dev.recorder.app.config.ini.SectionValues;
import dev.recorder.app.config.ini.Setting;
import dev.recorder.app.config.ini.SettingTable;
import dev.recorder.app.config.ini.TextFile;
import dev.recorder.app.config.value.Rule;
import dev.recorder.app.config.value.Secret;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The section {@code [http]}: the port for metrics, health and the page. */
public final class HttpConfig extends SectionValues {
  public static final SettingTable TABLE = new SettingTable("http");

  /** The fewest characters of a token: shorter tokens can be guessed. */
  static final int SHORTEST_TOKEN = 16;

  private static final Pattern FORM =
      Pattern.compile("(?<host>\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9.-]+):(?<port>\\d{1,5})");
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127\\.\\d+\\.\\d+\\.\\d+|\\[::1]");

  static final Setting<String> LISTEN =
      TABLE.add(
          Setting.text(
                  "listen",
                  null,
                  "(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9.-]+):"
                      + "([1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])",
                  "is no address with a port",
                  "an address and a port, such as 127.0.0.1:9747 or [::1]:9747")
              .takes("an address and a port, such as `127.0.0.1:9747`")
              .required()
              .mayDiffer()
              .means(
                  "The address and port at which this host answers. Every address except"
                      + " `127.x.x.x`, `[::1]` and `localhost` needs a `token_file`."));

  /** In the file the value is a path. In effect the value is the token in the file at that path. */
  static final Setting<Secret> TOKEN_FILE =
      TABLE.add(
          new Setting<>("token_file", Secret.class, null, new PathOfSecret())
              .mayDiffer()
              .takes("a path")
              .means(
                  "A file whose first line is the token for `/metrics` and the page, at least 16"
                      + " ASCII characters. Clients send the token as a bearer token, or as the"
                      + " password of any user."));

  /**
   * Creates the section from its values in effect.
   *
   * @param listen an address and a port, as written
   * @param token required by {@code /metrics} and the page; null only if {@code listen} is loopback
   */
  public HttpConfig(String listen, @Nullable Secret token) {
    super(
        TABLE,
        token == null
            ? Map.of(LISTEN.key(), listen)
            : Map.of(LISTEN.key(), listen, TOKEN_FILE.key(), token));
  }

  public static Deferred<HttpConfig> read(SectionReader reader, Path configFile) {
    reader.read(TABLE);
    String listen = reader.optional(LISTEN);
    Secret file = reader.optional(TOKEN_FILE);
    Secret token = file == null ? null : token(reader, configFile.resolveSibling(file.reveal()));
    if (listen != null && !isLoopback(listen) && !reader.has(TOKEN_FILE)) {
      reader.error(
          LISTEN,
          "listen = %s can be reached from other hosts, and the page and /metrics ask for nothing"
              .formatted(listen),
          "write token_file = a path, or listen = 127.0.0.1:9747");
    }
    return () -> new HttpConfig(requireNonNull(listen), token);
  }

  /** Allows printable ASCII only: clients differ in how they encode other characters. */
  private static boolean canBeSent(int character) {
    return character >= ' ' && character <= '~';
  }

  private static @Nullable Secret token(SectionReader reader, Path file) {
    String line = TextFile.secret(file, reader, TOKEN_FILE);
    if (line == null) {
      return null;
    }
    String token = line.strip();
    if (token.length() < SHORTEST_TOKEN) {
      reader.error(
          TOKEN_FILE,
          "token_file %s has fewer than %d characters on its first line"
              .formatted(file, SHORTEST_TOKEN),
          "write a token there, such as openssl rand -hex 32 makes one");
      return null;
    }
    if (!token.chars().allMatch(HttpConfig::canBeSent)) {
      reader.error(
          TOKEN_FILE,
          "token_file %s has characters on its first line that no header of HTTP can carry"
              .formatted(file),
          "write a token of ASCII letters and digits there, such as openssl rand -hex 32 makes"
              + " one");
      return null;
    }
    return new Secret(token);
  }

  public String listen() {
    return get(LISTEN);
  }

  /** Returns the token of {@code /metrics} and the page; null only if the address is loopback. */
  public @Nullable Secret token() {
    return orNull(TOKEN_FILE);
  }

  /** Returns the address, without the brackets of IPv6. */
  public String host() {
    String host = part(listen(), "host");
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  public int port() {
    return Integer.parseInt(part(listen(), "port"));
  }

  /** Whether the address is loopback, so that only programs on this host can connect. */
  static boolean isLoopback(String listen) {
    return LOOPBACK.matcher(part(listen, "host")).matches();
  }

  private static String part(String listen, String which) {
    Matcher parts = FORM.matcher(listen);
    if (!parts.matches()) {
      throw new IllegalArgumentException("no address with a port: " + listen);
    }
    return parts.group(which);
  }

  private record PathOfSecret() implements Rule<Secret> {
    @Override
    public @Nullable String fault(Secret value) {
      try {
        return Path.of(value.reveal()).toString().isEmpty() ? "is not a path" : null;
      } catch (InvalidPathException unusable) {
        return "is not a path";
      }
    }

    @Override
    public String allowed() {
      return "a path";
    }
  }
}
