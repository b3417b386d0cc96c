package dev.recorder.app.cli.requests;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.cli.command.WholeNumber;
import dev.recorder.app.config.ConfigException;
import dev.recorder.logging.Plurals;
import dev.recorder.requests.postgres.RequestAdmin;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes requests that are errors new again. */
@Command(
    name = "retry",
    description = {
      "Retry requests that have become errors, as if they were new.",
      "They take effect after the requests of their entities that completed meanwhile."
    },
    mixinStandardHelpOptions = true)
final class RequestsRetryCommand extends PrintingCommand {
  /**
   * The most requests in one UPDATE: an UPDATE of all requests would hold its locks for too long.
   */
  private static final int BATCH = 1_000;

  @Mixin private RequestsOption requests;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "ID",
      converter = WholeNumber.class,
      description = "The requests' ids.")
  private List<Long> ids = List.of();

  @Option(names = "--all", description = "All requests that are errors now.")
  private boolean all;

  @Override
  public Integer call() throws ConfigException, CommandFailure {
    if (all == !ids.isEmpty()) {
      throw CommandFailure.usage("give the ids of requests, or --all");
    }
    return requests.withMany(all ? this::retryAll : this::retryThese);
  }

  private int retryAll(RequestAdmin admin) {
    long retried = 0;
    List<Long> errors = admin.errors(Long.MIN_VALUE, BATCH);
    while (!errors.isEmpty()) {
      retried += admin.retry(errors).size();
      // Reads errors by ascending id, so that a request that fails again is not retried twice.
      errors = admin.errors(errors.get(errors.size() - 1), BATCH);
    }
    say(Plurals.of(retried, "request is", "requests are") + " new again");
    return ExitCode.OK;
  }

  private int retryThese(RequestAdmin admin) throws CommandFailure {
    List<Long> retried = admin.retry(ids);
    say(Plurals.of(retried.size(), "request is", "requests are") + " new again");
    List<Long> others = new ArrayList<>(ids);
    others.removeAll(retried);
    for (long id : others) {
      String status = requests.find(admin, id).status().word();
      say("request " + id + " is " + status + ", and stays so: only errors are done again");
    }
    return others.isEmpty() ? ExitCode.OK : ExitCode.FAULTS;
  }

  private void say(String sentence) {
    out().println(sentence);
  }
}
