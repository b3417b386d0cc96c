package dev.recorder.app.config.connection;

import dev.recorder.app.config.ini.Deferred;
import dev.recorder.app.config.ini.SectionReader;
import dev.recorder.app.config.ini.SectionValues;
import dev.recorder.app.config.ini.Setting;
import dev.recorder.app.config.ini.SettingTable;
import dev.recorder.app.config.value.Secret;
import dev.recorder.lock.redis.RedisLockOptions;
import java.nio.file.Path;
import java.time.Duration;

/** The section {@code [redis]}: the Redis server whose expiring keys are locks. */
public final class RedisConfig extends SectionValues {
  public static final SettingTable TABLE = new SettingTable("redis");

  public static final Setting<String> ENDPOINT =
      TABLE.add(
          DatabaseConfig.ENDPOINT.means("One server, 2.6.12 or newer; no cluster, no Sentinel."));
  public static final Setting<Integer> PORT = TABLE.add(Setting.number("port", 6379, 1, 65_535));
  public static final Setting<String> USER =
      TABLE.add(
          Setting.text(
                  "user",
                  null,
                  "(?!.*://)[^\\x00-\\x20]{1,128}",
                  "is not a user's name",
                  "a user of the server's access control list, or leave the key out")
              .takes("a name")
              .means("A user of the server's access control list. A user needs a password."));
  public static final Setting<Secret> PASSWORD =
      TABLE.add(
          DatabaseConfig.PASSWORD.means(
              "Write this key or `password_file`, or neither if the server asks for no password."));
  public static final Setting<Path> PASSWORD_FILE = TABLE.add(DatabaseConfig.PASSWORD_FILE);
  public static final Setting<Boolean> TLS =
      TABLE.add(
          Setting.flag("tls", false)
              .means("`true`: TLS, with server certificates that the JVM trusts."));
  public static final Setting<String> PREFIX =
      TABLE.add(
          Setting.text(
                  "prefix",
                  RedisLockOptions.DEFAULT.prefix(),
                  "[A-Za-z0-9_.:/-]{0,40}",
                  "is no beginning of keys",
                  "at most 40 of letters, digits and _.:/-")
              .takes("up to 40 letters, digits and `_.:/-`")
              .means("Prefix of all keys. Installations that share a server need different ones."));
  public static final Setting<Duration> EXPIRY =
      TABLE.add(
          Setting.duration("expiry", RedisLockOptions.DEFAULT.expiry(), "1s", "10m")
              .means(
                  "How long a key lives after its last renewal. Its host renews the key after each"
                      + " third of this time, and waiting hosts ask for the key as often."));

  private RedisConfig(SectionReader reader) {
    super(TABLE, reader.inEffect());
  }

  public static Deferred<RedisConfig> read(SectionReader reader, Path configFile) {
    reader.read(TABLE);
    PasswordReader.read(reader, configFile);
    boolean asksForPassword = reader.has(PASSWORD) || reader.has(PASSWORD_FILE);
    if (reader.optional(USER) != null && !asksForPassword) {
      reader.error(USER, "user without a password", "write password_file, or leave user out");
    }
    return () -> new RedisConfig(reader);
  }

  /** Returns the interval between renewals, and between attempts while waiting for a lock. */
  public Duration renewal() {
    return get(EXPIRY).dividedBy(3);
  }
}
