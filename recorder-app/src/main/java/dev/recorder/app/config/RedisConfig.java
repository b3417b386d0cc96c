package dev.recorder.app.config;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The Redis server whose expiring keys are locks.
 *
 * @param user null for the server's default user
 * @param password null if the server asks for none
 * @param prefix what all keys begin with; another one for each installation that shares the server
 * @param expiry of a key that is not renewed, which happens at a third of it
 */
public record RedisConfig(
    String endpoint,
    int port,
    @Nullable String user,
    @Nullable Secret password,
    boolean tls,
    String prefix,
    Duration expiry) {

  static final String SECTION = "redis";

  static final Setting<String> ENDPOINT =
      DatabaseConfig.ENDPOINT.means("Of one server, 2.6.12 or newer; no cluster, no Sentinel.");
  static final Setting<Integer> PORT = Setting.number("port", 6379, 1, 65_535);
  static final Setting<String> USER =
      Setting.text(
              "user",
              null,
              "(?!.*://)[^\\x00-\\x20]{1,128}",
              "is not a user's name",
              "a user of the server's access control list, or leave the key out")
          .takes("a name")
          .means("Of the server's access control list; then a password is needed too.");
  static final Setting<Secret> PASSWORD =
      DatabaseConfig.PASSWORD.means("Or `password_file`, or neither if the server asks for none.");
  static final Setting<Path> PASSWORD_FILE = DatabaseConfig.PASSWORD_FILE;
  static final Setting<Boolean> TLS =
      Setting.flag("tls").otherwise("`false`").means("With the certificates that the JVM trusts.");
  static final Setting<String> PREFIX =
      Setting.text(
              "prefix",
              "recorder:",
              "[A-Za-z0-9_.:/-]{0,40}",
              "is no beginning of keys",
              "at most 40 of letters, digits and _.:/-")
          .takes("up to 40 letters, digits and `_.:/-`")
          .means("Prefix of all keys. Installations that share a server need different" + " ones.");
  static final Setting<Duration> EXPIRY =
      Setting.duration("expiry", "15s", "1s", "10m")
          .means(
              "How long a key outlives its last renewal. It is renewed at a third of this time, and"
                  + " hosts that wait try as often.");

  public RedisConfig {
    ENDPOINT.require(endpoint);
    PORT.require(port);
    PREFIX.require(prefix);
    EXPIRY.require(expiry);
    if (user != null && password == null) {
      throw new IllegalArgumentException("a user without password");
    }
  }

  /** Renewals, and attempts of those that wait, come this often. */
  public Duration renewal() {
    return expiry.dividedBy(3);
  }
}
