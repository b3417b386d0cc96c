package dev.recorder.lock.redis;

import dev.recorder.lock.Loss;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * One connection, and what is asked on it. For one thread at a time; after a {@link RedisFailure}
 * it is to be closed, since an answer that comes late would be taken for the next one's.
 */
final class RedisLink implements AutoCloseable {
  private final RedisSettings settings;
  private final Connection connection;

  private RedisLink(RedisSettings settings, Connection connection) {
    this.settings = settings;
    this.connection = connection;
  }

  /**
   * Connects and logs in.
   *
   * @param client what {@code CLIENT LIST} shows
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

  /** Whether somebody still answers. */
  boolean isAlive() {
    try {
      return connection.ping();
    } catch (JedisException broken) {
      return false;
    }
  }

  /** Sets the key if there is none. */
  boolean take(Claim claim, long expiryMillis) {
    try {
      connection.sendCommand(
          Command.SET, claim.key(), claim.value(), "NX", "PX", Long.toString(expiryMillis));
      return connection.getStatusCodeReply() != null;
    } catch (JedisException failed) {
      throw RedisFailure.asking(settings, failed);
    }
  }

  /** Sets the key if there is none, and counts. */
  OptionalLong takeWithToken(Claim claim, long expiryMillis) {
    try {
      Object token =
          run(
              Script.TAKE_WITH_TOKEN,
              "2",
              claim.key(),
              claim.tokenKey(),
              claim.value(),
              Long.toString(expiryMillis));
      return token instanceof Long number ? OptionalLong.of(number) : OptionalLong.empty();
    } catch (JedisException failed) {
      throw RedisFailure.asking(settings, failed, true);
    }
  }

  /**
   * Lets the key live for another expiry, if it is ours.
   *
   * @return empty if it is
   */
  Optional<Loss> renew(Claim claim, long expiryMillis) {
    return ifOurs(Script.RENEW, "1", claim.key(), claim.value(), Long.toString(expiryMillis));
  }

  /**
   * Removes the key, if it is ours.
   *
   * @return empty if it was
   */
  Optional<Loss> release(Claim claim) {
    return ifOurs(Script.RELEASE, "1", claim.key(), claim.value());
  }

  /** The text of a key; empty if there is none. */
  Optional<String> get(String key) {
    try {
      connection.sendCommand(Command.GET, key);
      return Optional.ofNullable(connection.getBulkReply());
    } catch (JedisException failed) {
      throw RedisFailure.asking(settings, failed);
    }
  }

  /** For how long a key lives, in milliseconds; negative if there is none or it lives for ever. */
  long remainingMillis(String key) {
    try {
      connection.sendCommand(Command.PTTL, key);
      return connection.getIntegerReply();
    } catch (JedisException failed) {
      throw RedisFailure.asking(settings, failed);
    }
  }

  /**
   * Looks through a part of all keys.
   *
   * @param cursor of the answer before, "0" at first
   * @param keys to which those are added that match
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

  private Optional<Loss> ifOurs(Script script, String... arguments) {
    try {
      Object answer = run(script, arguments);
      if (answer instanceof Long) {
        return Optional.empty();
      }
      return Optional.of(
          answer instanceof byte[] value
              ? new Loss(
                  Loss.Cause.TAKEN_OVER,
                  "it is held by " + Claim.workerIn(new String(value, StandardCharsets.UTF_8)))
              : new Loss(Loss.Cause.REVOKED, "its key is gone"));
    } catch (JedisDataException refused) {
      if (RedisFailure.code(refused).equals("WRONGTYPE") || isWrongTypeInScript(refused)) {
        return Optional.of(
            new Loss(Loss.Cause.TAKEN_OVER, "its key was overwritten by what is no lock"));
      }
      throw RedisFailure.asking(settings, refused);
    } catch (JedisException failed) {
      throw RedisFailure.asking(settings, failed);
    }
  }

  /** Before version 7 the server wraps what a script's command fails with. */
  private static boolean isWrongTypeInScript(JedisDataException refused) {
    return String.valueOf(refused.getMessage()).contains(": WRONGTYPE ");
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
      // What cannot be closed is gone already.
    }
  }
}
