package dev.recorder.app.cli.requests;

import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.cli.command.WholeNumber;
import dev.recorder.app.config.ConfigException;
import dev.recorder.logging.Plurals;
import dev.recorder.requests.RequestStatus;
import dev.recorder.requests.postgres.RequestAdmin;
import dev.recorder.requests.postgres.RequestRow;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Cancels requests that have not ended. */
@Command(
    name = "cancel",
    description = {
      "Cancel new requests that no host is processing: they become errors.",
      "A request that was attempted before may have taken effect. If so, it becomes"
          + " complete with the next request of its entity."
    },
    mixinStandardHelpOptions = true)
final class RequestsCancelCommand extends PrintingCommand {
  @Mixin private RequestsOption requests;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "ID",
      converter = WholeNumber.class,
      description = "The requests' ids.")
  private List<Long> ids = List.of();

  @Override
  public Integer call() throws ConfigException, CommandFailure {
    return requests.withMany(this::cancel);
  }

  private int cancel(RequestAdmin admin) throws CommandFailure {
    List<Long> cancelled = admin.cancel(ids);
    say(Plurals.of(cancelled.size(), "request is", "requests are") + " cancelled");
    List<Long> others = new ArrayList<>(ids);
    others.removeAll(cancelled);
    boolean underWay = false;
    for (long id : others) {
      RequestRow row = requests.find(admin, id);
      boolean locked = row.status() == RequestStatus.NEW;
      underWay |= locked;
      String state =
          locked
              ? "being worked on" + by(row) + "; try again later"
              : row.status().word() + " already";
      say("request " + id + " is " + state);
    }
    return others.isEmpty() ? ExitCode.OK : underWay ? ExitCode.TRY_LATER : ExitCode.FAULTS;
  }

  /**
   * Returns the host in words; empty if it is not known. If requests are processed together, only
   * the first one has the host's name.
   */
  private static String by(RequestRow row) {
    return row.begunBy() == null ? "" : ", by " + row.begunBy();
  }

  private void say(String sentence) {
    out().println(sentence);
  }
}
