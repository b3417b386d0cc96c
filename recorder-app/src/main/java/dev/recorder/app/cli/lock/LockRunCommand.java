package dev.recorder.app.cli.lock;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.DurationConverter;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.cli.output.EscapedText;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.guard.Guard;
import dev.recorder.app.guard.GuardFailedException;
import dev.recorder.app.guard.Program;
import dev.recorder.app.guard.Signals;
import dev.recorder.lock.postgres.Cadence;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a command on one host at a time, or on one host once a day, for scripts and cron. */
@Command(
    name = "run",
    description = {
      "Run a command only while a lock is held.",
      "Ends with the command's exit code; 75 if the lock could not be taken, 76 if it was lost. The"
          + " command has RECORDER_LOCK_NAME, RECORDER_LOCK_KIND and RECORDER_LOCK_TOKEN in its"
          + " environment."
    },
    mixinStandardHelpOptions = true)
final class LockRunCommand extends PrintingCommand {
  private static final Duration LONGEST_WAIT = Duration.ofDays(365);

  @Mixin private LockOption lock;

  @Option(
      names = "--every",
      paramLabel = "TIME|UNIT@ZONE",
      converter = CadenceConverter.class,
      description =
          "For kind timeout: once in each hour, day, week or month of a time zone, such as"
              + " day@Europe/Berlin, or not again for a time, such as 10h.")
  private @Nullable Cadence every;

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      defaultValue = "0s",
      description = "How long to wait for the lock, such as 10s (default: not at all).")
  private Duration wait = Duration.ZERO;

  @Option(
      names = "--retries",
      paramLabel = "N",
      description =
          "For kinds mutex and timeout, if the lock is new: how often it can be taken"
              + " (default: without limit).")
  private @Nullable Integer retries;

  @Option(
      names = "--grace",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      defaultValue = "5s",
      description = {
        "How long the command may take to end by itself after SIGTERM, when the lock is lost or"
            + " this process is told to end (default: ${DEFAULT-VALUE}); then SIGKILL."
      })
  private Duration grace = Duration.ofSeconds(5);

  @Option(
      names = {"-q", "--quiet"},
      description = {
        "Print nothing if another process has the lock, or had this turn; the exit code tells."
      })
  private boolean quiet;

  @Parameters(arity = "1..*", paramLabel = "COMMAND", description = "The command, after --.")
  private List<String> command = List.of();

  @Override
  public Integer call() throws ConfigException, CommandFailure, InterruptedException {
    Signals signals = Signals.register();
    LockAddress address = lock.load();
    requireSense(address.kind());
    int unusable = look(address);
    if (unusable != ExitCode.OK) {
      return unusable;
    }
    try (Guard guard = Guard.ready();
        OpenedLock open = OpenedLock.of(address, every, retries)) {
      GuardedRun run =
          new GuardedRun(
              address, signals, new GuardedRun.WaitLimits(wait, grace), line -> say(address, line));
      return run.of(open.lock(), guard, command, new NotAcquiredReason(address, every, quiet));
    } catch (GuardFailedException e) {
      throw new CommandFailure(
          ExitCode.CONFIGURATION, "lock " + address.label() + ": " + e.getMessage());
    }
  }

  private void requireSense(LockKind kind) {
    String trouble = "";
    if (kind == LockKind.TIMEOUT && every == null) {
      trouble = "--kind timeout needs --every, such as --every day@UTC";
    } else if (kind != LockKind.TIMEOUT && every != null) {
      trouble = "--every is only for --kind timeout";
    } else if (retries != null && !kind.isRow()) {
      trouble = "--retries is only for --kind mutex and timeout";
    } else if (retries != null && retries < 0) {
      trouble = "--retries must be 0 or more";
    } else if (wait.compareTo(LONGEST_WAIT) > 0 || grace.compareTo(LONGEST_WAIT) > 0) {
      trouble = "--wait and --grace must be at most " + LONGEST_WAIT.toDays() + "d";
    }
    if (!trouble.isEmpty()) {
      throw misuse(trouble);
    }
  }

  /**
   * Looks for the program before the lock is taken, so that a typing mistake does not use up the
   * day's turn.
   */
  private int look(LockAddress address) {
    String program = command.get(0);
    return switch (Program.look(program, String.valueOf(System.getenv("PATH")))) {
      case FOUND -> ExitCode.OK;
      case NOT_EXECUTABLE -> {
        say(address, "not taken: " + program + " cannot be executed by this user");
        yield ExitCode.NOT_EXECUTABLE;
      }
      case NOT_FOUND -> {
        String where = program.contains("/") ? "" : " in any folder of the PATH";
        say(address, "not taken: there is no " + program + where);
        yield ExitCode.NOT_FOUND;
      }
    };
  }

  private void say(LockAddress address, String line) {
    warn(EscapedText.of("recorder: lock " + address.label() + ": " + line));
  }
}
