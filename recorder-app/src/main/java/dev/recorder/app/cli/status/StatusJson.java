package dev.recorder.app.cli.status;

import dev.recorder.app.cli.host.PauseReport;
import dev.recorder.app.cli.output.JsonObject;
import dev.recorder.leadership.postgres.Condition;
import dev.recorder.operate.diagnosis.Diagnosis;
import dev.recorder.operate.diagnosis.HostRole;
import dev.recorder.operate.diagnosis.Note;
import dev.recorder.operate.orders.LastVerdict;
import dev.recorder.operate.orders.LastVerdict.VerificationOutcome;
import dev.recorder.operate.orders.PausedRecorder;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.HostFacts;
import dev.recorder.operate.site.MachineStatus;
import dev.recorder.operate.site.RecorderFacts;
import dev.recorder.operate.site.RecorderStatus;
import dev.recorder.operate.site.RecorderStatus.Backlog;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** The status as JSON. Scripts rely on the names of its members. */
final class StatusJson {
  private StatusJson() {}

  static JsonObject of(Diagnosis site) {
    Facts facts = site.facts();
    return new JsonObject()
        .with("machines", facts.hosts().stream().map(StatusJson::machine).toList())
        .with("recorders", facts.recorders().stream().map(r -> recorder(facts, r)).toList())
        .with("standings", site.hostRoles().stream().map(StatusJson::hostRole).toList())
        .with("notes", site.notes().stream().map(StatusJson::note).toList());
  }

  /**
   * Returns the status if it could not be read: the same members, null except for one note.
   *
   * @param severity {@code critical} or {@code unknown}
   * @param kind the kind of the note, in a word
   * @param sentence the reason
   */
  static JsonObject unknown(String severity, String kind, String sentence) {
    JsonObject note =
        new JsonObject()
            .with("severity", severity)
            .with("kind", kind)
            .with("recorder", null)
            .with("host", null)
            .with("sentence", sentence);
    return new JsonObject()
        .with("machines", null)
        .with("recorders", null)
        .with("standings", null)
        .with("notes", List.of(note));
  }

  private static JsonObject machine(HostFacts host) {
    // The last report of a silent host is outdated.
    boolean isAlive = host.isAlive();
    MachineStatus machine = isAlive ? host.status() : host.status().silent();
    return new JsonObject()
        .with("name", machine.name())
        .with("alive", isAlive)
        .with("num_primary", machine.primaries())
        .with("num_secondary", machine.secondaries())
        .with("active", machine.active())
        .with("able", machine.able())
        .with("primary_for", machine.primaryFor())
        .with("update_time", machine.lastBeat())
        .with("version", machine.version())
        .with("config_hash", machine.configHash())
        .with("stuck", isAlive ? host.stuck().stream().sorted().toList() : List.of())
        .with("conditions", isAlive ? conditions(host) : List.of());
  }

  private static List<JsonObject> conditions(HostFacts host) {
    return host.conditions().stream()
        .filter(condition -> condition.about().isTrouble())
        .map(StatusJson::condition)
        .toList();
  }

  private static JsonObject condition(Condition condition) {
    return new JsonObject()
        .with("recorder", condition.recorder().isEmpty() ? null : condition.recorder())
        .with("about", word(condition.about()))
        .with("why", condition.why())
        .with("lasts_ms", condition.lasts().toMillis());
  }

  private static JsonObject recorder(Facts facts, RecorderFacts known) {
    RecorderStatus recorder = known.status();
    Backlog backlog = recorder.backlog();
    Instant oldest = known.oldestWaiting();
    PausedRecorder paused = known.paused();
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
        .with("backlog_more", backlog == null ? null : backlog.more())
        .with("oldest_waiting_ms", oldest == null ? null : facts.ago(oldest).toMillis())
        .with("begun_at", known.begunAt())
        .with("switch_to", known.switchTo())
        .with("paused", paused == null ? null : PauseReport.json(paused))
        .with("verdict", known.verdict() == null ? null : verdict(facts, known.verdict()));
  }

  private static JsonObject verdict(Facts facts, LastVerdict last) {
    JsonObject json =
        new JsonObject()
            .with("every_ms", last.every().toMillis())
            .with("overdue_ms", last.overdue(facts.at()).toMillis())
            .with("whole_asked_for", last.askedBy() != null)
            .with("whole_asked_by", last.askedBy())
            .with("trouble", last.trouble());
    VerificationOutcome outcome = last.outcome();
    return outcome == null
        ? json
        : json.with("ok", outcome.ok())
            .with("from_slot", outcome.slots().from())
            .with("to_slot", outcome.slots().to())
            .with("whole", outcome.isWhole())
            .with("ended_at", outcome.endedAt())
            .with("machine", outcome.machine())
            .with("fault_count", outcome.faults())
            .with("findings", outcome.findings());
  }

  private static JsonObject hostRole(HostRole hostRole) {
    return new JsonObject()
        .with("recorder", hostRole.recorder().name())
        .with("host", hostRole.host().name())
        .with("wanted", hostRole.wanted() == null ? null : word(hostRole.wanted()))
        .with("actual", word(hostRole.actual()))
        .with("since", hostRole.since());
  }

  static JsonObject note(Note note) {
    return new JsonObject()
        .with("severity", word(note.severity()))
        .with("kind", word(note.kind()))
        .with("recorder", note.recorder().isEmpty() ? null : note.recorder())
        .with("host", note.host().isEmpty() ? null : note.host())
        .with("sentence", note.sentence())
        .with("runbook", note.kind().place());
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
