package dev.recorder.app.cli.host;

import dev.recorder.app.cli.command.CallingUser;
import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.command.PrintingCommand;
import dev.recorder.app.cli.command.RecorderOption;
import dev.recorder.app.cli.command.RecorderOption.SelectedRecorder;
import dev.recorder.app.cli.command.ShutdownHook;
import dev.recorder.app.cli.output.OutputOption;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.app.config.recorder.RecorderSectionKeys;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.leadership.Failback;
import dev.recorder.machine.settings.ElectionKind;
import dev.recorder.operate.Inspection;
import dev.recorder.operate.diagnosis.Diagnosis;
import dev.recorder.operate.diagnosis.GapForecast;
import dev.recorder.operate.diagnosis.SwitchoverPlan;
import dev.recorder.operate.diagnosis.SwitchoverPlan.Forecast;
import dev.recorder.operate.orders.HostAnswer;
import dev.recorder.operate.orders.OrderKind;
import dev.recorder.operate.orders.SwitchoverOrder;
import dev.recorder.operate.orders.Switchovers;
import dev.recorder.operate.site.RecorderFacts;
import dev.recorder.operate.site.RecorderStatus;
import dev.recorder.operate.site.Takeover;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Moves a recorder to another host once, without a change of any file. The active host takes the
 * order and hands over gracefully, or the order is withdrawn and has no effect.
 */
@Command(
    description = {
      "An order that is not taken in time is withdrawn. For a lasting move set primary in" + " the",
      "files. Refused with election = redis: there the key decides which host is active."
    },
    mixinStandardHelpOptions = true)
public final class SwitchoverCommand extends PrintingCommand {
  /** The number of receipts that are searched for the receipt of the switchover. */
  private static final int LATEST = 10;

  /** The number of receipts from which the gap is estimated. */
  private static final int TELLING = 100;

  @Mixin private RecorderOption recorder;
  @Mixin private OutputOption output;
  @Mixin private WaitOption wait;

  @Option(
      names = "--to",
      paramLabel = "HOST",
      required = true,
      description = "The host that should become active; it must be alive and able.")
  private String to = "";

  @Option(names = "--dry-run", description = "Print what would happen; write nothing.")
  private boolean dryRun;

  @Option(
      names = "--rehearse",
      description = {
        "Make the target test everything it needs, and print what would happen.",
        "It writes tiny test objects, as a start does; nothing is handed over."
      })
  private boolean rehearse;

  @Override
  public Integer call() throws ConfigException, CommandFailure, InterruptedException {
    Duration patience = wait.patience();
    SelectedRecorder chosen = recorder.load();
    requireHolder(chosen.section());
    SwitchoverReport report = new SwitchoverReport(out(), output, chosen.name(), to);
    try (CommandResources site = chosen.openAfterRun(patience)) {
      return move(site, chosen, patience, report);
    } catch (CommandFailure failure) {
      report.failed(failure);
      throw failure;
    }
  }

  private int move(
      CommandResources site, SelectedRecorder chosen, Duration patience, SwitchoverReport report)
      throws CommandFailure, InterruptedException {
    Inspection database = site.database();
    Diagnosis found = site.diagnosis(HostOption.FRESH, 0);
    RecorderFacts recorded =
        found
            .facts()
            .recorder(chosen.name())
            .orElseThrow(
                () ->
                    CommandFailure.tryLater(
                        "no machine has run recorder '" + chosen.name() + "' yet"));
    RecorderStatus before = recorded.status();
    report.from(before);
    SwitchoverPlan plan = SwitchoverPlan.of(found, recorded, to);
    if (rehearse) {
      rehearse(database, chosen, plan, patience, report);
      return ExitCode.OK;
    } else if (!isMove(plan)) {
      report.say(plan.why());
      report.done(plan.why());
      return ExitCode.OK;
    }
    requireNoOther(database.switchovers(), chosen);
    if (dryRun) {
      preview(database, chosen, plan, report);
      return ExitCode.OK;
    }
    SwitchoverOrder order =
        new SwitchoverOrder(
            before.name(),
            String.valueOf(before.holder()),
            to,
            before.epoch(),
            patience,
            CallingUser.stated());
    int code = carryOut(database, order, report);
    if (code == ExitCode.OK) {
      Optional<Takeover> receipt = receipt(database, order, chosen);
      String sentence =
          receipt
              .map(SwitchoverCommand::sentence)
              .orElse("recorder %s is active on %s".formatted(order.recorder(), to));
      report.say(sentence);
      receipt.ifPresent(report::receipt);
      report.goesBack(goesBack(database, chosen.section()));
      report.done(sentence);
    }
    return code;
  }

  private int carryOut(Inspection database, SwitchoverOrder order, SwitchoverReport report)
      throws CommandFailure, InterruptedException {
    try (ShutdownHook interruption = ShutdownHook.expected()) {
      OrderedSwitchover switchover =
          new OrderedSwitchover(
              database.switchovers(), order, Ticker.system(), interruption::isAsked);
      try {
        switchover.carryOut();
        return ExitCode.OK;
      } catch (CommandFailure over) {
        if (switchover.isGiven()) {
          report.ordered();
        }
        if (!interruption.isAsked()) {
          throw over;
        }
        report.failed(over);
        // Printed here, since the process ends with the signal's exit code once the hook is closed.
        warn("recorder: " + over.getMessage());
        return over.exitCode();
      }
    }
  }

  /**
   * Refuses recorders without a primary. With {@code election = redis} only the holder of the key
   * is able, so an order for another host would never be carried out. Requests have no active host.
   */
  private static void requireHolder(RecorderSection section) throws CommandFailure {
    if (section.get(RecorderSectionKeys.ELECTION) == ElectionKind.REDIS) {
      throw CommandFailure.usage(
          "recorder '%s' has election = redis: the host that has its key is active, and neither primary"
                  .formatted(section.name())
              + " nor a switchover changes that; to move it, stop the instance that is active, as"
              + " 'recorder status' shows it, until another is");
    } else if (section.kind() == RecorderKind.REQUESTS) {
      throw CommandFailure.usage(
          "recorder '%s' has kind = requests: all hosts work on it at once, and none has it alone"
              .formatted(section.name()));
    }
  }

  /** Whether the recorder has to move; false if it is at its target already. */
  private boolean isMove(SwitchoverPlan plan) throws CommandFailure {
    switch (plan.forecast()) {
      case GOES -> {
        return true;
      }
      case IS_THERE -> {
        return false;
      }
      case NO_SUCH_MACHINE -> throw CommandFailure.usage(plan.why());
      case REFUSED, NOT_ALIVE -> throw CommandFailure.refused(plan.why());
      default -> throw new IllegalStateException(plan.toString());
    }
  }

  private static void requireNoOther(Switchovers orders, SelectedRecorder chosen)
      throws CommandFailure {
    Optional<Switchovers.Open> other = orders.open(chosen.recorder());
    if (other.isPresent()) {
      throw CommandFailure.refused(
          "nothing was ordered: %s has ordered recorder %s to go to %s, and that has yet to be taken or withdrawn"
              .formatted(other.get().by(), chosen.name(), other.get().to()));
    }
  }

  private static Optional<Takeover> receipt(
      Inspection database, SwitchoverOrder order, SelectedRecorder chosen) {
    return database.takeovers(Optional.of(chosen.recorder()), LATEST).stream()
        .filter(receipt -> receipt.to().equals(order.to()) && receipt.toEpoch() > order.epoch())
        .reduce((later, earlier) -> earlier);
  }

  private static String sentence(Takeover receipt) {
    return "recorder %s: %s -> %s, epoch %d -> %d, gap %s ms"
        .formatted(
            receipt.recorder(),
            receipt.from(),
            receipt.to(),
            receipt.fromEpoch(),
            receipt.toEpoch(),
            receipt.gapMillis());
  }

  private void rehearse(
      Inspection database,
      SelectedRecorder chosen,
      SwitchoverPlan plan,
      Duration patience,
      SwitchoverReport report)
      throws CommandFailure, InterruptedException {
    if (plan.forecast() == Forecast.NO_SUCH_MACHINE) {
      throw CommandFailure.usage(plan.why());
    }
    if (plan.forecast() == Forecast.IS_THERE) {
      throw CommandFailure.refused(
          plan.why()
              + ": nothing was rehearsed, as only a host that stands by can; 'recorder explain %s --host %s' shows its progress"
                  .formatted(chosen.name(), to));
    }
    if (plan.forecast() == Forecast.NOT_ALIVE) {
      throw CommandFailure.refused(plan.why() + ": it can rehearse nothing");
    }
    HostAnswer answer = AwaitedOrder.ask(database, to, OrderKind.REHEARSE, chosen.name(), patience);
    report.checked(answer.checks());
    boolean fine = answer.checks().stream().allMatch(check -> check.trouble().isEmpty());
    if (!fine || plan.forecast() == Forecast.REFUSED) {
      throw CommandFailure.refused(
          plan.forecast() == Forecast.REFUSED
              ? plan.why()
              : "host %s could not take recorder %s as it should: see above"
                  .formatted(to, chosen.name()));
    }
    preview(database, chosen, plan, report);
  }

  private void preview(
      Inspection database, SelectedRecorder chosen, SwitchoverPlan plan, SwitchoverReport report) {
    report.say(plan.why());
    report.forecast(GapForecast.of(database.takeovers(Optional.of(chosen.recorder()), TELLING)));
    database.pauses().of(chosen.recorder()).ifPresent(report::paused);
    report.goesBack(goesBack(database, chosen.section()));
    report.possible(plan.why(), rehearse ? "--rehearse" : "--dry-run");
  }

  private boolean goesBack(Inspection database, RecorderSection section) {
    return section.get(RecorderSectionKeys.FAILBACK) == Failback.AUTO
        && database.machines(HostOption.FRESH).stream()
            .filter(machine -> !machine.name().equals(to))
            .anyMatch(
                machine -> machine.alive() && machine.primaryFor().contains(section.lockId()));
  }
}
