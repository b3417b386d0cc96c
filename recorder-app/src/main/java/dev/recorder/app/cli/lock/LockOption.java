package dev.recorder.app.cli.lock;

import dev.recorder.app.cli.command.ConfigOption;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.LockConfig;
import dev.recorder.app.config.RequiredSections;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that name a lock. */
final class LockOption {
  /** The lock of the set-up, which can be shown and cannot be taken. */
  private static final int LAST_LOCK_ID = 999;

  @Mixin private ConfigOption config;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      defaultValue = "advisory",
      description = "advisory (default), mutex, timeout or redis.")
  private LockKind kind = LockKind.ADVISORY;

  @Option(names = "--name", paramLabel = "NAME", description = "The lock's name.")
  private @Nullable String name;

  @Option(
      names = "--lockid",
      paramLabel = "N",
      description = "For kind advisory, instead of a name: the number of a recorder's lock.")
  private @Nullable Integer lockId;

  @Option(
      names = "--queue",
      paramLabel = "QUEUE",
      description = "For kinds mutex and timeout: names are unique in a queue (default: default).")
  private @Nullable String queue;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  LockAddress load() throws ConfigException {
    String trouble = trouble();
    if (!trouble.isEmpty()) {
      throw misuse(trouble);
    }
    LockConfig loaded =
        config.loadForLocks(
            kind == LockKind.REDIS ? RequiredSections.REDIS : RequiredSections.DATABASE);
    if (kind == LockKind.REDIS && loaded.redis() == null) {
      throw misuse(noRedis(config));
    }
    if (kind != LockKind.REDIS && loaded.database() == null) {
      throw misuse(
          "--kind %s needs a section [postgredb] in %s, which has [redis]: write it, or give --kind redis"
              .formatted(kind.word(), config.path()));
    }
    return new LockAddress(
        loaded,
        kind,
        queue == null ? LockAddress.DEFAULT_QUEUE : queue,
        name == null ? "" : name,
        lockId);
  }

  static String noRedis(ConfigOption config) {
    return "--kind redis needs a section [redis] with the server's endpoint in " + config.path();
  }

  private ParameterException misuse(String why) {
    return new ParameterException(command.commandLine(), why);
  }

  private String trouble() {
    if (lockId != null) {
      return kind != LockKind.ADVISORY
          ? "--lockid is only for --kind advisory"
          : name != null
              ? "give --name or --lockid, not both"
              : lockId < 1 || lockId > LAST_LOCK_ID
                  ? "--lockid takes 1 to 998, as recorders have them: %d is no recorder's lock"
                      .formatted(lockId)
                  : queueTrouble();
    }
    return name == null || name.isEmpty()
        ? "which lock? give --name NAME"
        : name.indexOf('\0') >= 0 ? "--name has a character U+0000" : queueTrouble();
  }

  private String queueTrouble() {
    return queue != null && !kind.isRow() ? "--queue is only for --kind mutex and timeout" : "";
  }
}
