package dev.recorder.app.cli.lock;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.cli.output.EscapedText;
import dev.recorder.app.config.ConfigException;
import dev.recorder.lock.postgres.AdvisoryRow;
import dev.recorder.lock.postgres.LockAdmin;
import dev.recorder.lock.postgres.MutexRow;
import dev.recorder.lock.postgres.TimeoutRow;
import dev.recorder.lock.redis.RedisLockAdmin;
import dev.recorder.lock.redis.RedisLockRow;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Takes a lock away from its holder, for an operator. */
@Command(
    name = "release",
    description = {
      "Take a lock away from its holder, and name the holder.",
      "advisory: --force terminates the holder's session, which loses its other locks too."
          + " mutex, redis: --force frees the lock without asking the holder. timeout: the lock"
          + " is due at once."
    },
    mixinStandardHelpOptions = true)
final class LockReleaseCommand extends PrintingCommand {
  @Mixin private LockOption lock;

  @Option(
      names = "--force",
      description = "Release it even if a process has it: check first that its work is over.")
  private boolean force;

  @Option(
      names = "--retries",
      paramLabel = "N",
      description =
          "For kinds mutex and timeout: let the lock be taken this many times from now on.")
  private @Nullable Integer retries;

  @Override
  public Integer call() throws ConfigException, CommandFailure {
    LockAddress address = lock.load();
    if (retries != null && (retries < 0 || !address.kind().isRow())) {
      throw misuse("--retries is for --kind mutex and timeout, and must be 0 or more");
    }
    try {
      release(address);
      return ExitCode.OK;
    } catch (IllegalArgumentException bad) {
      throw CommandFailure.usage(String.valueOf(bad.getMessage()));
    }
  }

  private void release(LockAddress address) throws CommandFailure {
    if (address.kind() == LockKind.REDIS) {
      try (RedisLockAdmin admin = address.redisAdmin()) {
        redis(address, admin);
      }
      return;
    }
    try (LockAdmin admin = address.admin()) {
      switch (address.kind()) {
        case ADVISORY, REDIS -> advisory(address, admin);
        case MUTEX -> mutex(address, admin);
        case TIMEOUT -> timeout(address, admin);
      }
    }
  }

  private void advisory(LockAddress address, LockAdmin admin) throws CommandFailure {
    Optional<AdvisoryRow> holder = LockAddress.holder(address.advisory(admin));
    if (holder.isEmpty()) {
      say(address, "no process has it");
      return;
    }
    String session = holder.get().session();
    requireForce(
        address, session + " holds it; --force terminates that session, with all its locks");
    if (!admin.terminate(holder.get())) {
      throw changed(address, session + " has let go of it meanwhile, or does not end");
    }
    say(address, "terminated " + session + ", which held it");
  }

  private void mutex(LockAddress address, LockAdmin admin) throws CommandFailure {
    Optional<MutexRow> row = admin.mutex(address.queue(), address.name());
    if (row.isEmpty()) {
      say(address, "no process has ever had it");
      return;
    }
    if (row.get().acquired()) {
      String taken = LockListLine.takenBy(row.get());
      requireForce(address, taken + "; if its owner no longer works, --force releases it");
      if (!admin.release(row.get())) {
        throw changed(address, "it has changed hands meanwhile");
      }
      say(address, "released; it was " + taken + " (token " + row.get().token() + ")");
    } else {
      say(address, "no process has it");
    }
    if (retries != null) {
      admin.setMutexRetries(address.queue(), address.name(), retries);
      sayRetries(address);
    }
  }

  private void timeout(LockAddress address, LockAdmin admin) throws CommandFailure {
    Optional<TimeoutRow> row = admin.timeout(address.queue(), address.name());
    if (row.isEmpty()) {
      say(address, "no process has ever had it");
      return;
    }
    if (row.get().due()) {
      say(address, "it is due already");
    } else {
      if (!admin.release(row.get())) {
        throw changed(address, "another process has had it meanwhile");
      }
      say(address, "due at once; " + LockListLine.lastHad(row.get()));
    }
    if (retries != null) {
      admin.setTimeoutRetries(address.queue(), address.name(), retries);
      sayRetries(address);
    }
  }

  private void redis(LockAddress address, RedisLockAdmin admin) throws CommandFailure {
    Optional<RedisLockRow> row = admin.find(address.name());
    if (row.isEmpty()) {
      say(address, "no process has it");
      return;
    }
    String worker = row.get().worker();
    requireForce(
        address,
        "%s holds the lock%s; --force takes the lock away, and %1$s notices at its next renewal"
            .formatted(worker, LockListLine.remainingInWords(row.get())));
    if (!admin.release(row.get())) {
      throw changed(address, "it has changed hands meanwhile");
    }
    say(address, "released; " + worker + " had it");
  }

  private void requireForce(LockAddress address, String otherwise) throws CommandFailure {
    if (!force) {
      throw changed(address, otherwise);
    }
  }

  private static CommandFailure changed(LockAddress address, String why) {
    return CommandFailure.tryLater("lock " + address.label() + ": " + why);
  }

  private void sayRetries(LockAddress address) {
    say(address, "it can be taken " + retries + " times from now on");
  }

  private void say(LockAddress address, String sentence) {
    out().println(EscapedText.of("lock " + address.label() + ": " + sentence));
  }
}
