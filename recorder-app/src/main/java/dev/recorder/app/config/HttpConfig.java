package dev.recorder.app.config;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The port at which this host says how it is.
 *
 * @param listen an address and a port, as written
 * @param token what {@code /metrics} and the page ask for; null only on loopback
 */
public record HttpConfig(String listen, @Nullable Secret token) {
  static final String SECTION = "http";

  /** Shorter ones can be guessed. */
  static final int SHORTEST_TOKEN = 16;

  private static final Pattern FORM =
      Pattern.compile("(?<host>\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9.-]+):(?<port>\\d{1,5})");
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127\\.\\d+\\.\\d+\\.\\d+|\\[::1]");

  static final Setting<String> LISTEN =
      Setting.text(
              "listen",
              null,
              "(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9.-]+):"
                  + "([1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])",
              "is no address with a port",
              "an address and a port, such as 127.0.0.1:9747 or [::1]:9747")
          .takes("an address and a port, such as `127.0.0.1:9747`")
          .otherwise("required")
          .means(
              "Where this host answers. Anything but `127.x.x.x`, `[::1]` and `localhost` needs a"
                  + " `token_file`. A change takes effect after a restart.");
  static final Setting<Path> TOKEN_FILE =
      Setting.path("token_file", "a path")
          .means(
              "Its first line is what `/metrics` and the page ask for, at least 16 characters of"
                  + " ASCII: as a bearer token, or as the password of any user. A change takes"
                  + " effect after a restart.");

  public HttpConfig {
    LISTEN.require(listen);
    if (token == null && !isLoopback(listen)) {
      throw new IllegalArgumentException("no token for " + listen);
    }
  }

  /** The address, without brackets. */
  public String host() {
    String host = part(listen, "host");
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  /** The port. */
  public int port() {
    return Integer.parseInt(part(listen, "port"));
  }

  /** Whether only this host's own programs can connect. */
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
}
