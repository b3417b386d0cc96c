package dev.recorder.postgres;

import dev.recorder.postgres.sql.SchemaNames;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The address of a database, and how to access it.
 *
 * @param knownAs the name that all hosts use for the database, if some reach it by another address;
 *     null if none does
 * @param passwords supplies the password of each login
 * @param sslmode pgjdbc's name of the mode, or null for its default
 * @param networkTimeout longest wait for an answer on the control session
 * @param idleLimit the server ends a control session that is idle for longer, which frees the locks
 *     of a stopped host that no other host evicts
 */
public record DatabaseSettings(
    String host,
    int port,
    String database,
    String user,
    @Nullable String knownAs,
    Passwords passwords,
    @Nullable String sslmode,
    @Nullable String sslrootcert,
    SchemaNames schemas,
    Duration networkTimeout,
    Duration idleLimit) {
  /** The default of {@code port}. */
  public static final int PORT = 5432;

  /** The default of {@code networkTimeout}. */
  public static final Duration NETWORK_TIMEOUT = Duration.ofSeconds(1);

  /** The default of {@code idleLimit}. */
  public static final Duration IDLE_LIMIT = Duration.ofSeconds(3);

  /** Returns a builder with defaults for all other settings. */
  public static Builder of(String host, String database, String user) {
    return new Builder(host, database, user);
  }

  public @Nullable String password() {
    return passwords.current();
  }

  /**
   * Returns the name of the database that all its hosts share. It includes the control schema,
   * unless that is the default one: of two control schemas in one database, one may be a copy of
   * the other.
   */
  String reachedAs() {
    String name =
        (knownAs == null ? host.toLowerCase(Locale.ROOT) + ":" + port : knownAs) + "/" + database;
    return schemas.control().equals(SchemaNames.DEFAULT.control())
        ? name
        : name + "/" + schemas.control();
  }

  /** Returns the address, without the password. */
  @Override
  public String toString() {
    return user + "@" + host + ":" + port + "/" + database;
  }

  /** Not thread-safe. */
  public static final class Builder {
    private final String host;
    private final String database;
    private final String user;
    private int port = PORT;
    private @Nullable String knownAs;
    private Passwords passwords = () -> null;
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

    /** Default: {@link #PORT}. */
    public Builder port(int given) {
      port = given;
      return this;
    }

    /** Default: host and port. */
    public Builder knownAs(@Nullable String given) {
      knownAs = given;
      return this;
    }

    /** Default: the driver's ({@code ~/.pgpass}). */
    public Builder password(@Nullable String given) {
      return passwords(() -> given);
    }

    /** As {@link #password}, but read before each login, so that it may change. */
    public Builder passwords(Passwords given) {
      passwords = given;
      return this;
    }

    /** Default: the driver's. */
    public Builder sslmode(@Nullable String given) {
      sslmode = given;
      return this;
    }

    /** Path of the trusted certificates. Default: the driver's. */
    public Builder sslrootcert(@Nullable String given) {
      sslrootcert = given;
      return this;
    }

    /** Default: {@code recorder} and {@code handoff}. */
    public Builder schemas(SchemaNames given) {
      schemas = given;
      return this;
    }

    /** Default: {@link #NETWORK_TIMEOUT}. */
    public Builder networkTimeout(Duration given) {
      networkTimeout = given;
      return this;
    }

    /** Default: {@link #IDLE_LIMIT}. */
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
