package dev.recorder.lock.redis;

import java.util.UUID;
import java.util.regex.Pattern;

/**
 * An attempted or successful acquisition of a lock.
 *
 * @param key the lock's key; the name is in braces, so that all keys of the lock share a slot of a
 *     cluster
 * @param mark the key that holds the last holder's value
 * @param tokenKey the key of the server's token counter, if the server counts
 * @param value the worker's name and a part unique to this acquisition
 */
record KeyClaim(String name, String key, String mark, String tokenKey, String value) {
  private static final Pattern NAME = Pattern.compile("[!-z|~]{1,200}");
  private static final Pattern WORKER = Pattern.compile("[!-~]{1,200}");

  static KeyClaim of(String prefix, String name, String worker) {
    return new KeyClaim(
        name,
        prefix + "lock:{" + name + "}",
        prefix + "last:{" + name + "}",
        prefix + "token:{" + name + "}",
        worker + ":" + UUID.randomUUID());
  }

  /** Returns the claim of the holder that wrote {@code other}. */
  KeyClaim withValue(String other) {
    return new KeyClaim(name, key, mark, tokenKey, other);
  }

  static String checkedName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "a lock's name must be 1 to 200 ASCII characters without blanks and braces, is '"
              + name
              + "'");
    }
    return name;
  }

  static String checkedWorker(String worker) {
    if (!WORKER.matcher(worker).matches()) {
      throw new IllegalArgumentException(
          "a worker's id must be 1 to 200 ASCII characters without blanks, is '" + worker + "'");
    }
    return worker;
  }

  /** Returns the worker that wrote {@code value}, if the value has our form. */
  static String workerIn(String value) {
    int end = value.lastIndexOf(':');
    return end < 0 ? value : value.substring(0, end);
  }
}
