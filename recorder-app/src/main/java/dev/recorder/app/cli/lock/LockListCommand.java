package dev.recorder.app.cli.lock;

import dev.recorder.app.cli.command.ConfigOption;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.cli.output.Shown;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.LockConfig;
import dev.recorder.app.config.NeededSections;
import dev.recorder.app.config.connection.RedisConfig;
import dev.recorder.lock.postgres.LockAdmin;
import dev.recorder.lock.redis.RedisLockAdmin;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.Sessions;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
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
      "Show locks: advisory locks that sessions hold or wait for (recorders' and"
          + " applications'), mutexes, time-outs, and keys of Redis if the file names a server.",
      "The advisory lock of an application that draws no tokens is shown by its key; 'lock"
          + " show' finds it by its name.",
      "A part that cannot be reached is left out and named on standard error; the exit"
          + " code is then that of the first such part: 69, 77 or 78."
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
      description = "Only this kind: advisory, mutex, timeout or redis.")
  private @Nullable LockKind kind;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "1000",
      description = "At most this many of each kind (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Override
  public Integer call() throws ConfigException {
    if (limit < 1 || limit > MOST) {
      throw new ParameterException(spec.commandLine(), "--limit must be from 1 to " + MOST);
    }
    LockConfig loaded =
        config.loadForLocks(
            kind == LockKind.REDIS ? NeededSections.REDIS : NeededSections.DATABASE);
    RedisConfig redis = loaded.redis();
    if (kind == LockKind.REDIS && redis == null) {
      throw LockOption.noRedis(spec.commandLine(), config);
    }
    if (kind != null && kind != LockKind.REDIS && loaded.database() == null) {
      throw new ParameterException(
          spec.commandLine(),
          "--kind " + kind.word() + " needs a section [postgredb] in " + config.path());
    }
    LockSurvey survey = new LockSurvey();
    if (kind != LockKind.REDIS && loaded.database() != null) {
      addRows(survey, LockAddress.sessions(loaded));
    }
    if (redis != null && wants(LockKind.REDIS)) {
      survey.add(LockKind.REDIS.word(), () -> keys(redis));
    }
    if (survey.hasSeen()) {
      output.print(survey.lines(), LockLine.table(), LockLine::json);
    }
    PrintWriter err = spec.commandLine().getErr();
    survey.unseen().forEach(line -> err.println(Shown.of(line)));
    err.flush();
    return survey.exitCode();
  }

  private void addRows(LockSurvey survey, Sessions sessions) {
    try (LockAdmin admin = LockAdmin.open(sessions)) {
      add(survey, LockKind.ADVISORY, () -> admin.advisory(limit).stream().map(LockLine::of));
      add(survey, LockKind.MUTEX, () -> admin.mutexes(limit).stream().map(LockLine::of));
      add(survey, LockKind.TIMEOUT, () -> admin.timeouts(limit).stream().map(LockLine::of));
    } catch (DatabaseException e) {
      survey.miss(
          kind == null ? "advisory, mutex and timeout" : kind.word(),
          String.valueOf(e.getMessage()),
          ExitCode.of(e));
    }
  }

  private void add(LockSurvey survey, LockKind which, LockSurvey.KindLook look) {
    if (wants(which)) {
      survey.add(which.word(), look);
    }
  }

  private Stream<LockLine> keys(RedisConfig redis) {
    try (RedisLockAdmin admin = LockAddress.redisAdmin(redis)) {
      return admin.list(limit).stream().map(LockLine::of);
    }
  }

  private boolean wants(LockKind which) {
    return kind == null || kind == which;
  }
}
