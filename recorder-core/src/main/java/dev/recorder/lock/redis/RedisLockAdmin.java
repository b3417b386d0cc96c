package dev.recorder.lock.redis;

import dev.recorder.lock.LockException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * For operators: lists locks in Redis and their holders, and revokes locks. Uses a connection of
 * its own. Not thread-safe. Its methods throw {@link LockException}.
 */
public final class RedisLockAdmin implements AutoCloseable {
  private static final String CLIENT = "recorder-desk";

  /** The name in failures that do not concern one lock. */
  private static final String ANY = "(any)";

  /**
   * The number of keys per scan; a server takes a millisecond or two for them, during which other
   * clients wait.
   */
  private static final int KEYS_AT_ONCE = 1_000;

  private final String prefix;
  private final RedisLink link;

  private RedisLockAdmin(String prefix, RedisLink link) {
    this.prefix = prefix;
    this.link = link;
  }

  /**
   * Connects to a server.
   *
   * @param prefix of the locks' keys
   */
  public static RedisLockAdmin open(RedisSettings settings, String prefix) {
    return new RedisLockAdmin(prefix, asked(ANY, () -> RedisLink.open(settings, CLIENT)));
  }

  /**
   * Returns held locks, in no particular order. All keys of the server are scanned in parts, until
   * {@code limit} locks are found.
   */
  public List<RedisLockRow> list(int limit) {
    return asked(ANY, () -> listed(limit));
  }

  private List<RedisLockRow> listed(int limit) {
    String start = prefix + "lock:{";
    Set<String> keys = new LinkedHashSet<>();
    String cursor = "0";
    do {
      cursor = link.scan(cursor, escaped(start) + "*}", KEYS_AT_ONCE, keys);
    } while (!cursor.equals("0") && keys.size() < limit);
    List<RedisLockRow> rows = new ArrayList<>();
    for (String key : keys) {
      if (rows.size() < limit) {
        look(key.substring(start.length(), key.length() - 1)).ifPresent(rows::add);
      }
    }
    return rows;
  }

  /** Returns the holder of a lock; empty if the lock is free. */
  public Optional<RedisLockRow> find(String name) {
    return asked(name, () -> look(KeyClaim.checkedName(name)));
  }

  private Optional<RedisLockRow> look(String name) {
    KeyClaim claim = KeyClaim.of(prefix, name, CLIENT);
    Optional<String> value = link.get(claim.key());
    if (value.isEmpty()) {
      return Optional.empty();
    }
    long remaining = link.remainingMillis(claim.key());
    Long token = link.get(claim.tokenKey()).map(Long::valueOf).orElse(null);
    return Optional.of(
        new RedisLockRow(
            name,
            value.get(),
            KeyClaim.workerIn(value.get()),
            remaining < 0 ? null : Duration.ofMillis(remaining),
            token));
  }

  /** Revokes a lock; returns false if the holder that was read has lost it. */
  public boolean release(RedisLockRow seen) {
    KeyClaim claim = KeyClaim.of(prefix, seen.name(), CLIENT);
    return asked(seen.name(), () -> link.release(claim.withValue(seen.value())).isEmpty());
  }

  private static <T> T asked(String lock, Supplier<T> question) {
    try {
      return question.get();
    } catch (RedisFailure failed) {
      throw failed.of(lock);
    }
  }

  /** Escapes a text for use in a pattern. */
  private static String escaped(String text) {
    return text.replaceAll("([\\\\*?\\[\\]^-])", "\\\\$1");
  }

  @Override
  public void close() {
    link.close();
  }
}
