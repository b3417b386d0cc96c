package dev.recorder.lock.redis;

import dev.recorder.lock.Loss;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * One connection and its commands. For one thread at a time. After a {@link RedisFailure} it must
 * be closed, since a late answer would pass for that of the next command.
 */
final class RedisLink implements AutoCloseable {
  /** Replaces a script's answer if the key does not hold a lock any more. */
  private static final Loss OVERWRITTEN =
      new Loss(Loss.Cause.TAKEN_OVER, "its key was overwritten by what is no lock");

  private final RedisSettings settings;
  private final Connection connection;

  private RedisLink(RedisSettings settings, Connection connection) {
    this.settings = settings;
    this.connection = connection;
  }

  /**
   * Connects and logs in.
   *
   * @param client the name in {@code CLIENT LIST}
   */
  static RedisLink open(RedisSettings settings, String client) {
    try {
      return new RedisLink(
          settings,
          new Connection(
              new RedisSockets(settings),
              DefaultJedisClientConfig.builder()
                  .user(settings.user())
                  .password(settings.password())
                  .clientName(client)
                  .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                  .build()));
    } catch (JedisException failed) {
      throw RedisFailure.connecting(settings, failed);
    }
  }

  /** Whether the server still answers. */
  boolean isAlive() {
    try {
      return connection.ping();
    } catch (JedisException broken) {
      return false;
    }
  }

  /** Sets the key if it does not exist. */
  boolean take(KeyClaim claim, long expiryMillis) {
    return take(expiryMillis, claim.value(), claim.key(), claim.mark()).isPresent();
  }

  /** Sets the key if it does not exist, and counts a token. */
  OptionalLong takeWithToken(KeyClaim claim, long expiryMillis) {
    return take(expiryMillis, claim.value(), claim.key(), claim.mark(), claim.tokenKey());
  }

  private OptionalLong take(long expiryMillis, String value, String... keys) {
    try {
      Object count = run(Script.TAKE, arguments(keys, value, Long.toString(expiryMillis)));
      return count instanceof Long number ? OptionalLong.of(number) : OptionalLong.empty();
    } catch (JedisException failed) {
      throw RedisFailure.asking(settings, failed, true);
    }
  }

  /**
   * The result of a renewal.
   *
   * @param loss how the lock was lost; empty if it is held
   * @param again whether the key was gone and was taken again, since no other holder can have had
   *     it
   * @param token the server's count, if the server counts and the key was taken again
   */
  record Renewal(Optional<Loss> loss, boolean again, OptionalLong token) {
    private static Renewal of(@Nullable Object answer) {
      if (answer instanceof List<?> count) {
        return new Renewal(
            Optional.empty(),
            true,
            count.isEmpty() ? OptionalLong.empty() : OptionalLong.of((Long) count.get(0)));
      }
      return new Renewal(lossIn(answer), false, OptionalLong.empty());
    }
  }

  /**
   * Extends a held key by an expiry; takes a lost key again if no other holder had it.
   *
   * @param counts whether a token is counted when the key is taken again
   */
  Renewal renew(KeyClaim claim, long expiryMillis, boolean counts) {
    String[] keys =
        counts
            ? new String[] {claim.key(), claim.mark(), claim.tokenKey()}
            : new String[] {claim.key(), claim.mark()};
    return Renewal.of(
        unlessOverwritten(
            Script.RENEW, arguments(keys, claim.value(), Long.toString(expiryMillis))));
  }

  /**
   * Extends a held key by an expiry.
   *
   * @return empty if the key is held, else the loss
   */
  Optional<Loss> confirm(KeyClaim claim, long expiryMillis) {
    String[] key = {claim.key()};
    return lossIn(
        unlessOverwritten(
            Script.RENEW, arguments(key, claim.value(), Long.toString(expiryMillis))));
  }

  /**
   * Removes the key if it is held.
   *
   * @return empty if the key was held, or was gone and no other holder can have had it
   */
  Optional<Loss> release(KeyClaim claim) {
    String[] keys = {claim.key(), claim.mark()};
    return lossIn(unlessOverwritten(Script.RELEASE, arguments(keys, claim.value())));
  }

  private static String[] arguments(String[] keys, String... values) {
    return Stream.of(Stream.of(Integer.toString(keys.length)), Stream.of(keys), Stream.of(values))
        .flatMap(part -> part)
        .toArray(String[]::new);
  }

  /** Returns the value of a key; empty if the key does not exist. */
  Optional<String> get(String key) {
    try {
      connection.sendCommand(Command.GET, key);
      return Optional.ofNullable(connection.getBulkReply());
    } catch (JedisException failed) {
      throw RedisFailure.asking(settings, failed);
    }
  }

  /**
   * Returns the milliseconds until a key expires; negative if the key does not exist or never
   * expires.
   */
  long remainingMillis(String key) {
    try {
      connection.sendCommand(Command.PTTL, key);
      return connection.getIntegerReply();
    } catch (JedisException failed) {
      throw RedisFailure.asking(settings, failed);
    }
  }

  /**
   * Scans a part of all keys.
   *
   * @param cursor of the previous answer, "0" at first
   * @param keys receives the matching keys
   * @return the next cursor, "0" at the end
   */
  String scan(String cursor, String pattern, int count, Collection<String> keys) {
    try {
      connection.sendCommand(
          Command.SCAN, cursor, "MATCH", pattern, "COUNT", Integer.toString(count));
      List<Object> answer = connection.getObjectMultiBulkReply();
      for (Object key : (List<?>) answer.get(1)) {
        keys.add(text(key));
      }
      return text(answer.get(0));
    } catch (JedisException failed) {
      throw RedisFailure.asking(settings, failed);
    }
  }

  private static String text(Object bytes) {
    return new String((byte[]) bytes, StandardCharsets.UTF_8);
  }

  private static Optional<Loss> lossIn(@Nullable Object answer) {
    if (answer instanceof Long) {
      return Optional.empty();
    } else if (answer instanceof Loss loss) {
      return Optional.of(loss);
    }
    return Optional.of(
        answer instanceof byte[] value
            ? new Loss(
                Loss.Cause.TAKEN_OVER,
                "it is held by " + KeyClaim.workerIn(new String(value, StandardCharsets.UTF_8)))
            : new Loss(Loss.Cause.REVOKED, "its key is gone"));
  }

  private @Nullable Object unlessOverwritten(Script script, String... arguments) {
    try {
      return run(script, arguments);
    } catch (JedisDataException refused) {
      if (RedisFailure.code(refused).equals("WRONGTYPE")) {
        return OVERWRITTEN;
      }
      throw RedisFailure.asking(settings, refused);
    } catch (JedisException failed) {
      throw RedisFailure.asking(settings, failed);
    }
  }

  private @Nullable Object run(Script script, String... arguments) {
    try {
      return eval(Command.EVALSHA, script.sha(), arguments);
    } catch (JedisNoScriptException unknown) {
      return eval(Command.EVAL, script.text(), arguments);
    }
  }

  private @Nullable Object eval(Command command, String script, String... arguments) {
    String[] all = new String[arguments.length + 1];
    all[0] = script;
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    connection.sendCommand(command, all);
    return connection.getOne();
  }

  @Override
  public void close() {
    try {
      connection.disconnect();
    } catch (JedisException gone) {
      // The connection is closed already.
    }
  }
}
