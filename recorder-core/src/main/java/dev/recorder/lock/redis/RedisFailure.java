package dev.recorder.lock.redis;

import dev.recorder.lock.LockException;
import dev.recorder.lock.LockException.Kind;
import java.net.SocketTimeoutException;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/** The server could not be reached, did not answer, or refused. */
final class RedisFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private static final Set<String> RIGHTS = Set.of("NOAUTH", "WRONGPASS", "NOPERM");

  /** Errors that pass: while a server starts, fails over, or has no room. */
  private static final Set<String> LATER =
      Set.of(
          "LOADING",
          "MASTERDOWN",
          "BUSY",
          "TRYAGAIN",
          "CLUSTERDOWN",
          "READONLY",
          "NOREPLICAS",
          "OOM",
          "MISCONF");

  private static final Set<String> UNUSABLE =
      Set.of("WRONGTYPE", "MOVED", "ASK", "CROSSSLOT", "DENIED");

  private static final Map<String, String> REMEDIES =
      Map.of(
          "READONLY", "it is a replica: name the primary, unless the two change their roles now",
          "NOREPLICAS", "fewer of its replicas are connected than its min-replicas-to-write says",
          "OOM", "it is full: raise its maxmemory, or give locks a server of their own",
          "MISCONF", "it cannot write to its disk: see its log");

  private static final String TOO_MANY = "ERR max number of clients reached";

  /** Before version 7 the server wraps errors of a script's commands. */
  private static final Pattern IN_SCRIPT =
      Pattern.compile("ERR Error running script .*?: -?([A-Z]{3,}) .*");

  private final Kind kind;
  private final boolean mayHaveActed;

  private RedisFailure(Kind kind, boolean mayHaveActed, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.mayHaveActed = mayHaveActed;
  }

  /**
   * Returns the failure of a connect. It keeps only the first word of a server's error and leaves
   * out its exception, which repeats an unknown command with its arguments, including the password.
   */
  static RedisFailure connecting(RedisSettings settings, JedisException failed) {
    boolean answered = !(failed instanceof JedisConnectionException);
    return new RedisFailure(
        kindOf(failed),
        false,
        "cannot connect to %s: %s%s"
            .formatted(settings, answered ? code(failed) : reason(failed), remedy(failed)),
        answered ? null : failed);
  }

  static RedisFailure crowded(RedisSettings settings) {
    return new RedisFailure(
        Kind.UNREACHABLE, false, "all connections to " + settings + " are in use", null);
  }

  static RedisFailure asking(RedisSettings settings, JedisException failed) {
    return asking(settings, failed, false);
  }

  /**
   * Returns the failure of a command.
   *
   * @param inSteps whether a refused command may have been executed in part
   */
  static RedisFailure asking(RedisSettings settings, JedisException failed, boolean inSteps) {
    return failed instanceof JedisConnectionException
        ? new RedisFailure(
            Kind.UNREACHABLE, true, settings + " did not answer: " + reason(failed), failed)
        : new RedisFailure(
            kindOf(failed),
            inSteps,
            settings + " refused: " + reason(failed) + remedy(failed),
            failed);
  }

  Kind kind() {
    return kind;
  }

  /** Whether the connection broke, as an idle connection does when the server restarts. */
  boolean brokeOff() {
    for (Throwable cause = getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof SocketTimeoutException) {
        return false;
      }
    }
    return getCause() instanceof JedisConnectionException;
  }

  /** Whether the server may have executed the command, or may do so later. */
  boolean mayHaveActed() {
    return mayHaveActed;
  }

  LockException of(String lock) {
    return new LockException(lock, kind, String.valueOf(getMessage()), this);
  }

  /** The first word of an error reply. */
  static String code(JedisException failed) {
    String message = String.valueOf(failed.getMessage()).lines().findFirst().orElse("");
    if (message.startsWith(TOO_MANY)) {
      return TOO_MANY;
    }
    Matcher inScript = IN_SCRIPT.matcher(message);
    return inScript.matches() ? inScript.group(1) : message.split(" ", 2)[0];
  }

  private static String remedy(JedisException failed) {
    String remedy = REMEDIES.get(code(failed));
    return remedy == null ? "" : "; " + remedy;
  }

  private static Kind kindOf(JedisException failed) {
    String code = code(failed);
    if (RIGHTS.contains(code)) {
      return Kind.RIGHTS;
    } else if (failed instanceof JedisConnectionException
        || LATER.contains(code)
        || code.equals(TOO_MANY)) {
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
