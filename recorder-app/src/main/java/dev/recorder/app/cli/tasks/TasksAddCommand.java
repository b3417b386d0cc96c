package dev.recorder.app.cli.tasks;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.config.ConfigException;
import dev.recorder.logging.Plurals;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Adds tasks. */
@Command(
    name = "add",
    description = {
      "Add tasks in status new, and print their number.",
      "Existing tasks stay as they are."
    },
    mixinStandardHelpOptions = true)
final class TasksAddCommand extends PrintingCommand {
  @Mixin private TasksOption tasks;

  @Parameters(arity = "1..*", paramLabel = "ID", description = "Tasks.")
  private List<String> ids = List.of();

  @Option(
      names = "--retries",
      paramLabel = "N",
      description = "How often each can be captured (default: without limit).")
  private @Nullable Integer retries;

  @Override
  public Integer call() throws ConfigException, CommandFailure {
    OptionalInt times = retries(retries);
    Set<String> wanted = new LinkedHashSet<>(ids);
    return tasks.with(
        wanted,
        queue -> {
          int added = queue.add(wanted, times);
          out().println(Plurals.of(added, "task is", "tasks are") + " new");
          if (added < wanted.size()) {
            out()
                .println(
                    Plurals.of(wanted.size() - added, "was", "were")
                        + " there already, and not changed");
          }
          return ExitCode.OK;
        });
  }

  static OptionalInt retries(@Nullable Integer retries) throws CommandFailure {
    if (retries == null) {
      return OptionalInt.empty();
    } else if (retries < 0) {
      throw CommandFailure.usage("--retries must be 0 or more");
    }
    return OptionalInt.of(retries);
  }
}
