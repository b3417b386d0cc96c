package dev.recorder.app.cli.lock;

import dev.recorder.app.config.LockConfig;
import dev.recorder.app.config.connection.RedisConfig;
import dev.recorder.app.daemon.ConfiguredMachine;
import dev.recorder.app.daemon.ElectionLocks;
import dev.recorder.lock.postgres.AdvisoryRow;
import dev.recorder.lock.postgres.LockAdmin;
import dev.recorder.lock.redis.RedisLockAdmin;
import dev.recorder.postgres.Sessions;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Names a lock and the server that has it.
 *
 * @param name empty if the lock has a number
 * @param lockId the lock's number; null if it has a name
 */
public record LockAddress(
    LockConfig config, LockKind kind, String queue, String name, @Nullable Integer lockId) {
  static final String DEFAULT_QUEUE = "default";

  /** Returns the lock's name in messages, the same as in messages of the library. */
  String label() {
    if (lockId != null) {
      return lockId.toString();
    }
    return label(queue, name);
  }

  static String label(String queue, String name) {
    return queue.equals(DEFAULT_QUEUE) ? name : queue + "/" + name;
  }

  /** Returns the options that name the lock, quoted for a shell. */
  String options() {
    return "--kind "
        + kind.word()
        + (lockId == null ? " --name " + quoted(name) : " --lockid " + lockId)
        + (queue.equals(DEFAULT_QUEUE) ? "" : " --queue " + quoted(queue));
  }

  private static String quoted(String word) {
    return word.matches("[A-Za-z0-9_@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  Sessions sessions() {
    return sessions(config);
  }

  /** Opens sessions. The file must have a section {@code [postgredb]}. */
  public static Sessions sessions(LockConfig config) {
    return new Sessions(
        ConfiguredMachine.database(
            Objects.requireNonNull(config.database()), config.networkTimeout()),
        config.machine().name());
  }

  LockAdmin admin() {
    return LockAdmin.open(sessions());
  }

  /** Returns the holder of an advisory lock, then the sessions that wait for it. */
  List<AdvisoryRow> advisory(LockAdmin admin) {
    return lockId == null ? admin.advisory(name) : admin.advisoryOf(lockId);
  }

  static Optional<AdvisoryRow> holder(List<AdvisoryRow> rows) {
    return rows.stream().filter(AdvisoryRow::granted).findFirst();
  }

  RedisLockAdmin redisAdmin() {
    return redisAdmin(Objects.requireNonNull(config.redis()));
  }

  static RedisLockAdmin redisAdmin(RedisConfig redis) {
    return RedisLockAdmin.open(ElectionLocks.settings(redis), redis.get(RedisConfig.PREFIX));
  }
}
