package dev.recorder.app.cli.status;

import dev.recorder.app.cli.output.EscapedText;
import dev.recorder.app.cli.output.ListColumns;
import dev.recorder.operate.diagnosis.Ages;
import dev.recorder.operate.diagnosis.Diagnosis;
import dev.recorder.operate.diagnosis.HostRole;
import dev.recorder.operate.diagnosis.HostRole.WantedRole;
import dev.recorder.operate.diagnosis.Note;
import dev.recorder.operate.orders.LastVerdict;
import dev.recorder.operate.orders.LastVerdict.VerificationOutcome;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.HostFacts;
import dev.recorder.operate.site.MachineStatus;
import dev.recorder.operate.site.RecorderFacts;
import dev.recorder.operate.site.RecorderStatus;
import dev.recorder.operate.site.RecorderStatus.Backlog;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Prints the status for people: hosts, a line for each recorder and host, and notes. */
record StatusView(Diagnosis site) {

  void print(PrintWriter out) {
    printTables(out);
    if (!site.notes().isEmpty()) {
      out.println();
      site.notes().forEach(note -> out.println(line(note)));
    }
  }

  static String line(Note note) {
    return note.severity() + " " + EscapedText.of(note.withPlace());
  }

  void printTables(PrintWriter out) {
    Facts facts = site.facts();
    Map<Integer, String> names =
        facts.recorders().stream()
            .collect(Collectors.toMap(RecorderFacts::lockId, RecorderFacts::name));
    out.println(
        new ListColumns<MachineStatus>()
            .text("HOST", MachineStatus::name)
            .text("ALIVE", machine -> machine.alive() ? "yes" : "no")
            .text("LAST BEAT", MachineStatus::lastBeat)
            .number("PRIMARY", MachineStatus::primaries)
            .number("SECONDARY", MachineStatus::secondaries)
            .text("ACTIVE FOR", machine -> machine.alive() ? active(machine, names) : null)
            .text("VERSION", MachineStatus::version)
            .of(facts.hosts().stream().map(HostFacts::status).toList()));
    out.println();
    out.println(
        new ListColumns<HostRole>()
            .text("RECORDER", hostRole -> hostRole.recorder().name())
            .text("HOST", hostRole -> hostRole.host().name())
            .text("WANTED", hostRole -> wanted(hostRole.wanted()))
            .text("ACTUAL", hostRole -> hostRole.actual().word())
            .text("SINCE", HostRole::since)
            .number("EPOCH", hostRole -> ifRun(hostRole, RecorderStatus::epoch))
            .number("LAST SLOT", hostRole -> ifRun(hostRole, RecorderStatus::lastSlot))
            .number("SETTLED", hostRole -> ago(hostRole.recorder().status().lastSettledAt()))
            .number("BACKLOG", hostRole -> counted(hostRole.recorder().status().backlog()))
            .number("OLDEST", hostRole -> age(hostRole.recorder().oldestWaiting()))
            .text("VERIFIED", hostRole -> verified(hostRole.recorder().verdict()))
            .of(site.hostRoles()));
    if (facts.hosts().isEmpty()) {
      out.println();
      out.println("no host has run here yet: start one");
    }
  }

  private static @Nullable String wanted(@Nullable WantedRole wanted) {
    return wanted == null ? null : wanted.name().toLowerCase(Locale.ROOT);
  }

  /** Returns the number; null for a recorder that has never run. */
  private static @Nullable Long ifRun(HostRole hostRole, Function<RecorderStatus, Long> number) {
    RecorderFacts recorder = hostRole.recorder();
    return recorder.isRegistered() ? number.apply(recorder.status()) : null;
  }

  /**
   * Returns the outcome and age of the last verification; null for logs without {@code
   * verify_every} and for logs that are not verified yet.
   */
  private @Nullable String verified(@Nullable LastVerdict last) {
    VerificationOutcome outcome = last == null ? null : last.outcome();
    return outcome == null
        ? null
        : (outcome.ok() ? "" : "FAULTS ")
            + ago(outcome.endedAt())
            + (outcome.isWhole() ? ", whole" : ", from slot " + outcome.slots().from());
  }

  private @Nullable String ago(@Nullable Instant then) {
    return then == null ? null : age(then) + " ago";
  }

  private @Nullable String age(@Nullable Instant then) {
    return then == null ? null : Ages.of(site.facts().ago(then));
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
}
