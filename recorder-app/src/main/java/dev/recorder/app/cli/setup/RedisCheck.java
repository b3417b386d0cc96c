package dev.recorder.app.cli.setup;

import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.config.ConfigFile;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.connection.RedisConfig;
import dev.recorder.app.daemon.ElectionLocks;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LockException;
import dev.recorder.lock.redis.RedisLocks;
import java.nio.file.Path;
import java.util.Optional;

/** Checks that keys of Redis work as locks. */
final class RedisCheck {
  private static final String NAME = "redis";

  private RedisCheck() {}

  /**
   * Takes and releases a lock in the same way as an election; empty if the file names no Redis
   * server.
   */
  static Optional<Check> run(RecorderConfig config) {
    return Optional.ofNullable(config.redis())
        .map(redis -> run(redis, config.machine().name(), config.sourceFile()));
  }

  private static Check run(RedisConfig redis, String machine, Path file) {
    try (RedisLocks locks = ElectionLocks.open(redis, machine)) {
      // Another check may hold the lock. In that case, too, the server has answered.
      locks.lock("check").tryAcquire().ifPresent(Lease::close);
      String user =
          redis.orNull(RedisConfig.USER) == null
              ? ""
              : ", as user " + redis.orNull(RedisConfig.USER);
      return Check.passed(
          NAME, ElectionLocks.settings(redis) + user + ": a lock was taken and freed");
    } catch (LockException e) {
      return new Check(
          NAME, place(e, file) + ": " + e.problem() + "; " + remedy(e), ExitCode.of(e));
    }
  }

  private static String place(LockException e, Path file) {
    return e.kind() == LockException.Kind.RIGHTS
        ? ConfigFile.place(file, NAME, "user", "password_file", "password")
        : ConfigFile.place(file, NAME, "endpoint");
  }

  private static String remedy(LockException e) {
    return switch (e.kind()) {
      case UNREACHABLE -> "start the server, or correct endpoint, port and tls";
      case RIGHTS ->
          "correct user and password_file, or let the user do what the server refused, on keys of"
              + " the prefix";
      case UNUSABLE, FAILED, LOST -> "name a single Redis server that takes writes";
    };
  }
}
