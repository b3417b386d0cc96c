package dev.recorder.postgres;

import dev.recorder.postgres.sql.SchemaNames;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the database is and how to talk to it.
 *
 * @param knownAs how all hosts call it, if some reach it by another address; null if none does
 * @param passwords gives the password of each login; null to let the driver look ({@code
 *     ~/.pgpass})
 * @param sslmode pgjdbc's name of the mode, or null for its default
 * @param networkTimeout longest wait for an answer on the control session
 * @param idleLimit the server itself ends a control session that is idle longer: the backstop for a
 *     stopped machine without a peer
 */
public record DatabaseSettings(
    String host,
    int port,
    String database,
    String user,
    @Nullable String knownAs,
    Supplier<@Nullable String> passwords,
    @Nullable String sslmode,
    @Nullable String sslrootcert,
    SchemaNames schemas,
    Duration networkTimeout,
    Duration idleLimit) {
  /** {@code port} without configuration. */
  public static final int PORT = 5432;

  /** {@code networkTimeout} without configuration. */
  public static final Duration NETWORK_TIMEOUT = Duration.ofSeconds(1);

  /** {@code idleLimit} without configuration. */
  public static final Duration IDLE_LIMIT = Duration.ofSeconds(3);

  /** Settings of a database, of which all but these have a value. */
  public static Builder of(String host, String database, String user) {
    return new Builder(host, database, user);
  }

  /** The password as it is now. */
  public @Nullable String password() {
    return passwords.get();
  }

  /** What hosts that write from the same database all call it. */
  String reachedAs() {
    return (knownAs == null ? host.toLowerCase(Locale.ROOT) + ":" + port : knownAs)
        + "/"
        + database;
  }

  /** Shows where, never the password. */
  @Override
  public String toString() {
    return user + "@" + host + ":" + port + "/" + database;
  }

  /** Settings that are being put together; not thread-safe. */
  public static final class Builder {
    private final String host;
    private final String database;
    private final String user;
    private int port = PORT;
    private @Nullable String knownAs;
    private Supplier<@Nullable String> passwords = () -> null;
    private @Nullable String sslmode;
    private @Nullable String sslrootcert;
    private SchemaNames schemas = SchemaNames.DEFAULT;
    private Duration networkTimeout = NETWORK_TIMEOUT;
    private Duration idleLimit = IDLE_LIMIT;

    private Builder(String host, String database, String user) {
      this.host = host;
      this.database = database;
      this.user = user;
    }

    /** {@link #PORT} otherwise. */
    public Builder port(int given) {
      port = given;
      return this;
    }

    /** Host and port otherwise. */
    public Builder knownAs(@Nullable String given) {
      knownAs = given;
      return this;
    }

    /** Otherwise the driver looks ({@code ~/.pgpass}). */
    public Builder password(@Nullable String given) {
      return passwords(() -> given);
    }

    /** The same; asked before each login, so that it may change. Must be thread-safe. */
    public Builder passwords(Supplier<@Nullable String> given) {
      passwords = given;
      return this;
    }

    /** Of the driver; its default otherwise. */
    public Builder sslmode(@Nullable String given) {
      sslmode = given;
      return this;
    }

    /** Path of the certificates that are trusted; the driver's default otherwise. */
    public Builder sslrootcert(@Nullable String given) {
      sslrootcert = given;
      return this;
    }

    /** {@code recorder} and {@code handoff} otherwise. */
    public Builder schemas(SchemaNames given) {
      schemas = given;
      return this;
    }

    /** {@link #NETWORK_TIMEOUT} otherwise. */
    public Builder networkTimeout(Duration given) {
      networkTimeout = given;
      return this;
    }

    /** {@link #IDLE_LIMIT} otherwise. */
    public Builder idleLimit(Duration given) {
      idleLimit = given;
      return this;
    }

    public DatabaseSettings build() {
      return new DatabaseSettings(
          host,
          port,
          database,
          user,
          knownAs,
          passwords,
          sslmode,
          sslrootcert,
          schemas,
          networkTimeout,
          idleLimit);
    }
  }
}
