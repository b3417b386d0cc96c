package dev.recorder.lock.redis;

import java.time.Duration;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The address of a Redis server, and how to access it. One server, 2.6.12 or newer: no cluster and
 * no Sentinel. Each new connection resolves the host's name again, so a failover may change the
 * address.
 *
 * @param user null for the server's default user
 * @param passwords supplies the password of each connection; null if the server needs none
 * @param tls trust and identity, {@code SSLContext.getDefault()} for the JVM's; null without TLS.
 *     The server's certificate must name {@code host}
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

  /** Begins settings with defaults for all but host and port. */
  public static Builder of(String host, int port) {
    return new Builder(host, port);
  }

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

  /** Shows the address, never the password. */
  @Override
  public String toString() {
    return (tls == null ? "redis://" : "rediss://") + host + ":" + port;
  }

  /** Builds settings; not thread-safe. */
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

    /** Default null: the server's default user; another user needs a password. */
    public Builder user(@Nullable String given) {
      user = given;
      return this;
    }

    /** Default null: no password. */
    public Builder password(@Nullable String given) {
      return passwords(() -> given);
    }

    /**
     * As {@link #password}, but the password is read before each connection, so that it may change.
     * Must be thread-safe.
     */
    public Builder passwords(Supplier<@Nullable String> given) {
      passwords = given;
      return this;
    }

    /** Default null: no TLS. */
    public Builder tls(@Nullable SSLContext given) {
      tls = given;
      return this;
    }

    /** Default: one second. */
    public Builder timeout(Duration given) {
      timeout = given;
      return this;
    }

    /**
     * Builds the settings.
     *
     * @throws IllegalArgumentException if the settings are invalid; the message says why
     */
    public RedisSettings build() {
      return new RedisSettings(host, port, user, passwords, tls, timeout);
    }
  }
}
