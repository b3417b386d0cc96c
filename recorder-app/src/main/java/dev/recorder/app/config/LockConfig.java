package dev.recorder.app.config;

import dev.recorder.app.config.connection.DatabaseConfig;
import dev.recorder.app.config.connection.RedisConfig;
import dev.recorder.app.config.host.MachineConfig;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What commands about locks and tasks read of a configuration file. Immutable.
 *
 * @param database null if the file has no such section, but {@code redis}
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
