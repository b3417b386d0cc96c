package dev.recorder.app.cli.lock;

import dev.recorder.app.cli.command.ConfigOption;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.cli.output.EscapedText;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.LockConfig;
import dev.recorder.app.config.RequiredSections;
import dev.recorder.app.config.connection.RedisConfig;
import dev.recorder.lock.LockException;
import dev.recorder.lock.postgres.LockAdmin;
import dev.recorder.lock.redis.RedisLockAdmin;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.Sessions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists locks of all kinds. */
@Command(
    name = "list",
    description = {
      "Show locks: advisory locks that sessions hold or wait for (recorders' and"
          + " applications'), mutexes, time-outs, and keys of Redis if the file names a server.",
      "The advisory lock of an application that draws no tokens is shown by its key; 'lock"
          + " show' finds it by its name.",
      "A part that cannot be reached is left out and named on standard error; the exit"
          + " code is then that of the first such part: 69, 77 or 78."
    },
    mixinStandardHelpOptions = true)
final class LockListCommand extends PrintingCommand {
  private static final int MOST = 100_000;

  @Mixin private ConfigOption config;
  @Mixin private OutputOption output;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "Only this kind: advisory, mutex, timeout or redis.")
  private @Nullable LockKind kind;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "1000",
      description = "At most this many of each kind (default: ${DEFAULT-VALUE}).")
  private int limit;

  private final List<LockListLine> lines = new ArrayList<>();
  private final List<String> unseen = new ArrayList<>();
  private int exitCode = ExitCode.OK;
  private boolean seen;

  @Override
  public Integer call() throws ConfigException {
    if (limit < 1 || limit > MOST) {
      throw misuse("--limit must be from 1 to " + MOST);
    }
    LockConfig loaded =
        config.loadForLocks(
            kind == LockKind.REDIS ? RequiredSections.REDIS : RequiredSections.DATABASE);
    RedisConfig redis = loaded.redis();
    if (kind == LockKind.REDIS && redis == null) {
      throw misuse(LockOption.noRedis(config));
    }
    if (kind != null && kind != LockKind.REDIS && loaded.database() == null) {
      throw misuse("--kind " + kind.word() + " needs a section [postgredb] in " + config.path());
    }
    if (kind != LockKind.REDIS && loaded.database() != null) {
      addRows(LockAddress.sessions(loaded));
    }
    if (redis != null) {
      add(LockKind.REDIS, () -> keys(redis));
    }
    if (seen) {
      output.print(lines, LockListLine.table());
    }
    unseen.forEach(line -> warn(EscapedText.of(line)));
    return exitCode;
  }

  private void addRows(Sessions sessions) {
    try (LockAdmin admin = LockAdmin.open(sessions)) {
      add(LockKind.ADVISORY, () -> admin.advisory(limit).stream().map(LockListLine::of));
      add(LockKind.MUTEX, () -> admin.mutexes(limit).stream().map(LockListLine::of));
      add(LockKind.TIMEOUT, () -> admin.timeouts(limit).stream().map(LockListLine::of));
    } catch (DatabaseException e) {
      miss(
          kind == null ? "advisory, mutex and timeout" : kind.word(),
          String.valueOf(e.getMessage()),
          ExitCode.of(e));
    }
  }

  private void add(LockKind which, Supplier<Stream<LockListLine>> look) {
    if (kind != null && kind != which) {
      return;
    }
    try {
      lines.addAll(look.get().toList());
      seen = true;
    } catch (LockException e) {
      miss(which.word(), e.problem(), ExitCode.of(e));
    } catch (DatabaseException e) {
      miss(which.word(), String.valueOf(e.getMessage()), ExitCode.of(e));
    }
  }

  /** Notes locks that cannot be shown. The first failure decides the exit code. */
  private void miss(String kinds, String why, int code) {
    unseen.add("recorder: locks of kind " + kinds + " are not shown: " + why);
    exitCode = exitCode == ExitCode.OK ? code : exitCode;
  }

  private Stream<LockListLine> keys(RedisConfig redis) {
    try (RedisLockAdmin admin = LockAddress.redisAdmin(redis)) {
      return admin.list(limit).stream().map(LockListLine::of);
    }
  }
}
