package dev.recorder.lock.redis;

import dev.recorder.lock.LockException;
import dev.recorder.lock.LockException.Kind;
import java.net.SocketTimeoutException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/** The server could not be asked, or did not answer, or refused. */
final class RedisFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private static final Set<String> RIGHTS = Set.of("NOAUTH", "WRONGPASS", "NOPERM");
  private static final Set<String> LATER =
      Set.of("LOADING", "MASTERDOWN", "BUSY", "TRYAGAIN", "CLUSTERDOWN");
  private static final Set<String> UNUSABLE =
      Set.of("READONLY", "WRONGTYPE", "MISCONF", "OOM", "MOVED", "NOREPLICAS");

  private final Kind kind;
  private final boolean mayHaveActed;

  private RedisFailure(Kind kind, boolean mayHaveActed, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.mayHaveActed = mayHaveActed;
  }

  /**
   * No connection. A server's own words are cut to the first, and its exception is left out: it
   * repeats a command that it does not know with its arguments, and this one has the password.
   */
  static RedisFailure connecting(RedisSettings settings, JedisException failed) {
    boolean answered = !(failed instanceof JedisConnectionException);
    return new RedisFailure(
        answered ? kindOf(code(failed)) : Kind.UNREACHABLE,
        false,
        "cannot connect to " + settings + ": " + (answered ? code(failed) : reason(failed)),
        answered ? null : failed);
  }

  /** No connection is free. */
  static RedisFailure crowded(RedisSettings settings) {
    return new RedisFailure(
        Kind.UNREACHABLE, false, "all connections to " + settings + " are in use", null);
  }

  /** A command failed. */
  static RedisFailure asking(RedisSettings settings, JedisException failed) {
    return asking(settings, failed, false);
  }

  /**
   * A command failed.
   *
   * @param inSteps if it was refused, whether a part of it may have been done
   */
  static RedisFailure asking(RedisSettings settings, JedisException failed, boolean inSteps) {
    return failed instanceof JedisConnectionException
        ? new RedisFailure(
            Kind.UNREACHABLE, true, settings + " did not answer: " + reason(failed), failed)
        : new RedisFailure(
            kindOf(code(failed)), inSteps, settings + " refused: " + reason(failed), failed);
  }

  Kind kind() {
    return kind;
  }

  /** Whether the connection broke, as one does that was idle while the server was restarted. */
  boolean brokeOff() {
    for (Throwable cause = getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof SocketTimeoutException) {
        return false;
      }
    }
    return getCause() instanceof JedisConnectionException;
  }

  /** Whether the server may have done what it was asked, or do it yet. */
  boolean mayHaveActed() {
    return mayHaveActed;
  }

  LockException of(String lock) {
    return new LockException(lock, kind, String.valueOf(getMessage()), this);
  }

  /** The first word of an error reply. */
  static String code(JedisException failed) {
    String message = String.valueOf(failed.getMessage());
    int end = message.indexOf(' ');
    return end < 0 ? message : message.substring(0, end);
  }

  private static Kind kindOf(String code) {
    if (RIGHTS.contains(code)) {
      return Kind.RIGHTS;
    } else if (LATER.contains(code)) {
      return Kind.UNREACHABLE;
    }
    return UNUSABLE.contains(code) ? Kind.UNUSABLE : Kind.FAILED;
  }

  private static String reason(Throwable failed) {
    Throwable root = failed;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
  }
}
