package dev.recorder.app.config;

import dev.recorder.app.config.connection.DatabaseConfig;
import dev.recorder.app.config.connection.RedisConfig;
import dev.recorder.app.config.host.MachineConfig;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The configuration for commands on locks and tasks. Immutable.
 *
 * @param database null if the file has only {@code [redis]}
 * @param networkTimeout longest wait for an answer of the database
 */
public record LockConfig(
    MachineConfig machine,
    @Nullable DatabaseConfig database,
    Duration networkTimeout,
    @Nullable RedisConfig redis,
    Path sourceFile) {
  public LockConfig {
    if (database == null && redis == null) {
      throw new IllegalArgumentException("no server");
    }
  }
}
