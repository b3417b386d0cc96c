package dev.recorder.app.cli;

import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.operate.MachineStatus;
import dev.recorder.operate.RecorderStatus;
import dev.recorder.operate.RecorderStatus.Backlog;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
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

  private static Map<String, Object> json(
      List<MachineStatus> machines, List<RecorderStatus> recorders) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("machines", machines.stream().map(StatusCommand::json).toList());
    json.put("recorders", recorders.stream().map(StatusCommand::json).toList());
    return json;
  }

  private static Map<String, Object> json(MachineStatus machine) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", machine.name());
    json.put("alive", machine.alive());
    json.put("num_primary", machine.primaries());
    json.put("num_secondary", machine.secondaries());
    json.put("active", machine.active());
    json.put("able", machine.able());
    json.put("primary_for", machine.primaryFor());
    json.put("update_time", machine.lastBeat().toString());
    json.put("version", machine.version());
    json.put("config_hash", machine.configHash());
    return json;
  }

  private static Map<String, @Nullable Object> json(RecorderStatus recorder) {
    Backlog backlog = recorder.backlog();
    Instant settled = recorder.lastSettledAt();
    Map<String, @Nullable Object> json = new LinkedHashMap<>();
    json.put("recorder", recorder.name());
    json.put("lockid", recorder.lockId());
    json.put("kind", recorder.kind());
    json.put("holder", recorder.holder());
    json.put("epoch", recorder.epoch());
    json.put("first_slot", recorder.firstSlot());
    json.put("last_slot", recorder.lastSlot());
    json.put("last_settled_at", settled == null ? null : settled.toString());
    json.put("backlog_rows", backlog == null ? null : backlog.rows());
    json.put("backlog_more", backlog == null ? null : backlog.more());
    return json;
  }
}
