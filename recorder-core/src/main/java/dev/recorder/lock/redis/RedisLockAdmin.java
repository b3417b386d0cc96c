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
 * For operators: shows who has which lock that is a key, and takes such locks away. On a connection
 * of its own. Not thread-safe. Its methods throw {@link LockException}.
 */
public final class RedisLockAdmin implements AutoCloseable {
  private static final String CLIENT = "recorder-desk";

  /** In place of a name, in failures that are not of one lock. */
  private static final String ANY = "(any)";

  /** A server does that much within a millisecond or two, and others wait meanwhile. */
  private static final int KEYS_AT_ONCE = 1_000;

  private final String prefix;
  private final RedisLink link;

  private RedisLockAdmin(String prefix, RedisLink link) {
    this.prefix = prefix;
    this.link = link;
  }

  /**
   * Connects.
   *
   * @param prefix what the server's keys begin with
   */
  public static RedisLockAdmin open(RedisSettings settings, String prefix) {
    return new RedisLockAdmin(prefix, asked(ANY, () -> RedisLink.open(settings, CLIENT)));
  }

  /**
   * Locks that somebody has, in no order. All keys of the server are looked through, a part at a
   * time, until there are {@code limit} locks.
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

  /** Who has a lock; empty if nobody has. */
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

  /** Takes a lock away; false if the observed holder has lost it. */
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

  /** A pattern that only the text itself matches. */
  private static String escaped(String text) {
    return text.replaceAll("([\\\\*?\\[\\]^-])", "\\\\$1");
  }

  @Override
  public void close() {
    link.close();
  }
}
