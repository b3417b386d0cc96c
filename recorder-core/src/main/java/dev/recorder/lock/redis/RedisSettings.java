package dev.recorder.lock.redis;

import java.time.Duration;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Where Redis is and how to talk to it. One server, 2.6.12 or newer: no cluster and no Sentinel; a
 * name that a failover points elsewhere is looked up again by each new connection.
 *
 * @param user null for the server's default user
 * @param passwords gives the password of each connection; null if the server asks for none
 * @param tls what to trust and how to identify oneself, {@code SSLContext.getDefault()} for what
 *     the JVM trusts; null to talk without TLS. The server's certificate must name {@code host}
 * @param timeout longest wait for a connection, and for each answer
 */
public record RedisSettings(
    String host,
    int port,
    @Nullable String user,
    Supplier<@Nullable String> passwords,
    @Nullable SSLContext tls,
    Duration timeout) {

  public RedisSettings {
    require(!host.isBlank(), "host is missing");
    require(port > 0 && port < 65_536, "port must be 1 to 65535, is " + port);
    require(user == null || passwords.get() != null, "a user needs a password");
    require(
        timeout.toMillis() > 0 && timeout.toMillis() <= Integer.MAX_VALUE,
        "timeout must be at least 1 ms, is " + timeout);
  }

  /** Begins the settings of a server; all but these have a default. */
  public static Builder of(String host, int port) {
    return new Builder(host, port);
  }

  /** The password as it is now. */
  @Nullable String password() {
    return passwords.get();
  }

  int timeoutMillis() {
    return Math.toIntExact(timeout.toMillis());
  }

  private static void require(boolean holds, String problem) {
    if (!holds) {
      throw new IllegalArgumentException("redis: " + problem);
    }
  }

  /** Shows where, never the password. */
  @Override
  public String toString() {
    return (tls == null ? "redis://" : "rediss://") + host + ":" + port;
  }

  /** Settings that are being put together; not thread-safe. */
  public static final class Builder {
    private final String host;
    private final int port;
    private @Nullable String user;
    private Supplier<@Nullable String> passwords = () -> null;
    private @Nullable SSLContext tls;
    private Duration timeout = Duration.ofSeconds(1);

    private Builder(String host, int port) {
      this.host = host;
      this.port = port;
    }

    /** The server's default user otherwise; another needs a password. */
    public Builder user(@Nullable String given) {
      user = given;
      return this;
    }

    /** None otherwise. */
    public Builder password(@Nullable String given) {
      return passwords(() -> given);
    }

    /** The same; asked before each connection, so that it may change. Must be thread-safe. */
    public Builder passwords(Supplier<@Nullable String> given) {
      passwords = given;
      return this;
    }

    /** Otherwise without TLS. */
    public Builder tls(@Nullable SSLContext given) {
      tls = given;
      return this;
    }

    /** One second otherwise. */
    public Builder timeout(Duration given) {
      timeout = given;
      return this;
    }

    /**
     * The settings.
     *
     * @throws IllegalArgumentException if they cannot be used; says why
     */
    public RedisSettings build() {
      return new RedisSettings(host, port, user, passwords, tls, timeout);
    }
  }
}
