package dev.recorder.app.cli;

import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.RedisConfig;
import dev.recorder.lock.postgres.LockDesk;
import dev.recorder.lock.redis.RedisDesk;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** All locks there are, as far as they can be seen. */
@Command(
    name = "list",
    description = {
      "Show locks: those of recorders and of names that sessions hold or wait for, mutexes,"
          + " time-outs, and keys of Redis if the file names a server.",
      "An advisory lock's name cannot be told from its key: 'lock show' finds it by its name."
    },
    mixinStandardHelpOptions = true)
final class LockListCommand implements Callable<Integer> {
  private static final int MOST = 100_000;

  @Spec private CommandSpec spec;
  @Mixin private ConfigOption config;
  @Mixin private OutputOption output;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "Of this kind only: advisory, mutex, timeout or redis.")
  private @Nullable LockKind kind;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "1000",
      description = "At most so many of each kind (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Override
  public Integer call() throws ConfigException {
    if (limit < 1 || limit > MOST) {
      throw new ParameterException(spec.commandLine(), "--limit must be from 1 to " + MOST);
    }
    RecorderConfig loaded = config.load();
    RedisConfig redis = loaded.redis();
    if (kind == LockKind.REDIS && redis == null) {
      throw new ParameterException(
          spec.commandLine(),
          "--kind redis needs a section [redis] with the server's endpoint in " + config.path());
    }
    List<LockLine> lines = new ArrayList<>();
    if (kind != LockKind.REDIS) {
      try (LockDesk desk = LockDesk.open(LockAddress.sessions(loaded))) {
        addRows(desk, lines);
      }
    }
    if (redis != null && wants(LockKind.REDIS)) {
      try (RedisDesk desk = LockAddress.redisDesk(redis)) {
        desk.list(limit).forEach(row -> lines.add(LockLine.of(row)));
      }
    }
    print(lines);
    return ExitCode.OK;
  }

  private void addRows(LockDesk desk, List<LockLine> lines) {
    if (wants(LockKind.ADVISORY)) {
      desk.advisory(limit).forEach(row -> lines.add(LockLine.of(row)));
    }
    if (wants(LockKind.MUTEX)) {
      desk.mutexes(limit).forEach(row -> lines.add(LockLine.of(row)));
    }
    if (wants(LockKind.TIMEOUT)) {
      desk.timeouts(limit).forEach(row -> lines.add(LockLine.of(row)));
    }
  }

  private boolean wants(LockKind which) {
    return kind == null || kind == which;
  }

  private void print(List<LockLine> lines) {
    if (output.isJson()) {
      OutputOption.printJson(
          spec.commandLine().getOut(), lines.stream().map(LockLine::json).toList());
    } else {
      spec.commandLine().getOut().println(LockLine.table(lines));
    }
  }
}
