package dev.recorder.app.cli;

import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.operate.MachineStatus;
import dev.recorder.operate.RecorderStatus;
import dev.recorder.operate.RecorderStatus.Backlog;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows machines and recorders as the database knows them, whether this host runs one or not. */
@Command(
    name = "status",
    description = "Show machines and recorders.",
    mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {
  /** Counting a longer backlog would take seconds, and tell no more. */
  private static final int MOST_COUNTED = 1_000_000;

  @Spec private CommandSpec spec;
  @Mixin private ConfigOption config;
  @Mixin private OutputOption output;

  @Override
  public Integer call() throws ConfigException, CommandFailure {
    RecorderConfig loaded = config.load();
    try (CommandResources site = CommandResources.open(loaded)) {
      List<MachineStatus> machines = site.database().machines(loaded.timing().takeoverAfter());
      List<RecorderStatus> recorders = site.database().recorders(MOST_COUNTED);
      PrintWriter out = spec.commandLine().getOut();
      if (output.isJson()) {
        OutputOption.printJson(out, json(machines, recorders));
      } else {
        printTables(out, machines, recorders);
      }
    }
    return ExitCode.OK;
  }

  private static void printTables(
      PrintWriter out, List<MachineStatus> machines, List<RecorderStatus> recorders) {
    Map<Integer, String> names =
        recorders.stream().collect(Collectors.toMap(RecorderStatus::lockId, RecorderStatus::name));
    out.println(
        new Table<MachineStatus>()
            .text("MACHINE", MachineStatus::name)
            .text("ALIVE", machine -> machine.alive() ? "yes" : "no")
            .text("LAST BEAT", MachineStatus::lastBeat)
            .number("PRIMARY", MachineStatus::primaries)
            .number("SECONDARY", MachineStatus::secondaries)
            .text("ACTIVE FOR", machine -> machine.alive() ? active(machine, names) : null)
            .text("VERSION", MachineStatus::version)
            .of(machines));
    out.println();
    out.println(
        new Table<RecorderStatus>()
            .text("RECORDER", RecorderStatus::name)
            .number("LOCKID", RecorderStatus::lockId)
            .text("KIND", RecorderStatus::kind)
            .text("HOLDER", RecorderStatus::holder)
            .number("EPOCH", RecorderStatus::epoch)
            .number("LAST SLOT", RecorderStatus::lastSlot)
            .text("LAST SETTLED", RecorderStatus::lastSettledAt)
            .number("BACKLOG", recorder -> counted(recorder.backlog()))
            .of(recorders));
  }

  private static @Nullable String active(MachineStatus machine, Map<Integer, String> names) {
    return machine.active().isEmpty()
        ? null
        : machine.active().stream()
            .map(lockId -> names.getOrDefault(lockId, lockId.toString()))
            .collect(Collectors.joining(", "));
  }

  private static @Nullable String counted(@Nullable Backlog backlog) {
    return backlog == null ? null : backlog.rows() + (backlog.more() ? "+" : "");
  }

  private static JsonObject json(List<MachineStatus> machines, List<RecorderStatus> recorders) {
    return new JsonObject()
        .with("machines", machines.stream().map(StatusCommand::json).toList())
        .with("recorders", recorders.stream().map(StatusCommand::json).toList());
  }

  private static JsonObject json(MachineStatus machine) {
    return new JsonObject()
        .with("name", machine.name())
        .with("alive", machine.alive())
        .with("num_primary", machine.primaries())
        .with("num_secondary", machine.secondaries())
        .with("active", machine.active())
        .with("able", machine.able())
        .with("primary_for", machine.primaryFor())
        .with("update_time", machine.lastBeat())
        .with("version", machine.version())
        .with("config_hash", machine.configHash());
  }

  private static JsonObject json(RecorderStatus recorder) {
    Backlog backlog = recorder.backlog();
    return new JsonObject()
        .with("recorder", recorder.name())
        .with("lockid", recorder.lockId())
        .with("kind", recorder.kind())
        .with("holder", recorder.holder())
        .with("epoch", recorder.epoch())
        .with("first_slot", recorder.firstSlot())
        .with("last_slot", recorder.lastSlot())
        .with("last_settled_at", recorder.lastSettledAt())
        .with("backlog_rows", backlog == null ? null : backlog.rows())
        .with("backlog_more", backlog == null ? null : backlog.more());
  }
}
