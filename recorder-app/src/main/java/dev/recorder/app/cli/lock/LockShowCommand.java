package dev.recorder.app.cli.lock;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.cli.output.EscapedText;
import dev.recorder.app.cli.output.JsonObject;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.config.ConfigException;
import dev.recorder.lock.postgres.LockAdmin;
import dev.recorder.lock.redis.RedisLockAdmin;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows who has a lock, and who waits for it. */
@Command(
    name = "show",
    description = "Show who has a lock, since when, and, if known, who waits for it.",
    mixinStandardHelpOptions = true)
final class LockShowCommand extends PrintingCommand {
  @Mixin private LockOption lock;
  @Mixin private OutputOption output;

  @Override
  public Integer call() throws ConfigException, CommandFailure {
    LockAddress address = lock.load();
    try {
      print(address, lines(address));
      return ExitCode.OK;
    } catch (IllegalArgumentException bad) {
      throw CommandFailure.usage(String.valueOf(bad.getMessage()));
    }
  }

  private static List<LockListLine> lines(LockAddress address) {
    if (address.kind() == LockKind.REDIS) {
      try (RedisLockAdmin admin = address.redisAdmin()) {
        return admin.find(address.name()).map(LockListLine::of).stream().toList();
      }
    }
    try (LockAdmin admin = address.admin()) {
      Stream<LockListLine> lines =
          switch (address.kind()) {
            case ADVISORY, REDIS -> address.advisory(admin).stream().map(LockListLine::of);
            case MUTEX ->
                admin.mutex(address.queue(), address.name()).map(LockListLine::of).stream();
            case TIMEOUT ->
                admin.timeout(address.queue(), address.name()).map(LockListLine::of).stream();
          };
      return lines.toList();
    }
  }

  private void print(LockAddress address, List<LockListLine> lines) {
    output.print(
        json(address, lines),
        lines.isEmpty()
            ? EscapedText.of("lock " + address.label() + ": no process has it")
            : LockListLine.table().of(lines));
  }

  /** Returns the lock as JSON. An advisory lock includes the sessions that wait for it. */
  private static JsonObject json(LockAddress address, List<LockListLine> lines) {
    JsonObject json =
        new JsonObject()
            .with("kind", address.kind().word())
            .with("lock", address.label())
            .with("state", address.kind() == LockKind.TIMEOUT ? "due" : "free");
    Optional<LockListLine> has =
        lines.stream().filter(line -> !line.state().equals("waiting")).findFirst();
    has.ifPresent(line -> json.putAll(line.json()));
    json.put("lock", address.label());
    if (address.kind() == LockKind.ADVISORY) {
      json.put(
          "waiting",
          lines.stream()
              .filter(line -> line.state().equals("waiting"))
              .map(LockListLine::json)
              .toList());
    }
    return json;
  }
}
