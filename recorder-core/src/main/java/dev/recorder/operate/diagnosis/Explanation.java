package dev.recorder.operate.diagnosis;

import dev.recorder.operate.diagnosis.HostRole.WantedRole;
import dev.recorder.operate.orders.LastVerdict;
import dev.recorder.operate.orders.PausedRecorder;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.HostFacts;
import dev.recorder.operate.site.RecorderFacts;
import dev.recorder.operate.site.RecorderStatus;
import dev.recorder.operate.site.Takeover;
import dev.recorder.postgres.holders.LockHolder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Why a host is or is not recording. Pure; uses only facts from the database, so that it also
 * explains a dead host.
 *
 * @param verdict the answer
 * @param evidence facts for the verdict, one per line
 * @param change steps that would change the verdict
 */
public record Explanation(String verdict, List<String> evidence, List<String> change) {
  public Explanation {
    evidence = List.copyOf(evidence);
    change = List.copyOf(change);
  }

  /**
   * Explains the state of a host.
   *
   * @param host the host's name; it may never have registered
   * @param lock the holder of the recorder's lock on the server, if there is one
   */
  public static Explanation of(
      Diagnosis site, RecorderFacts recorder, String host, Optional<LockHolder> lock) {
    Facts facts = site.facts();
    Optional<HostFacts> found = facts.host(host);
    if (found.isEmpty()) {
      return new Explanation(
          "%s does not record %s: it has never registered in this database"
              .formatted(host, recorder.name()),
          List.of("info_recorders has no row of " + host),
          List.of("start it there: recorder run; its [postgredb] must name this database"));
    }
    if (found.get().isAlive() && !found.get().has(recorder)) {
      return withoutIt(site, recorder, found.get());
    }
    HostRole hostRole = HostRole.of(facts, recorder, found.get());
    List<String> change = new ArrayList<>(new Remedy(facts, recorder, host, lock).of(hostRole));
    List<String> evidence = evidence(facts, hostRole, lock);
    evidence.addAll(notes(site, recorder));
    Optional<String> requests =
        recorder.isRegistered() ? new RequestVerdict(facts, hostRole).inTheWay() : Optional.empty();
    String verdict = requests.orElseGet(() -> verdict(facts, hostRole));
    return new Explanation(verdict, evidence, change);
  }

  /** Returns the notes on the recorder, and on the site as a whole. */
  private static List<String> notes(Diagnosis site, RecorderFacts recorder) {
    return site.notes().stream()
        .filter(note -> note.concerns(recorder.name()))
        .map(note -> note.severity().name().toLowerCase(Locale.ROOT) + ": " + note.withPlace())
        .toList();
  }

  /** Explains a host whose file does not have the recorder. */
  private static Explanation withoutIt(Diagnosis site, RecorderFacts recorder, HostFacts host) {
    String does =
        !recorder.isRegistered()
            ? "does not have"
            : recorder.isLog() ? "does not record" : "processes no requests of";
    List<String> evidence = new ArrayList<>(others(site.facts(), recorder, host));
    evidence.addAll(notes(site, recorder));
    return new Explanation(
        "%s %s %s: the file that its process has read has no [recorder:%s]"
            .formatted(host.name(), does, recorder.name(), recorder.name()),
        evidence,
        List.of("write the section into its file, and then on that host: recorder reload"));
  }

  /**
   * Returns the same explanation with the last receipt: the former holder, and why its term ended.
   */
  public Explanation with(Takeover last, Facts facts) {
    List<String> more = new ArrayList<>(evidence);
    more.add(
        "its last receipt, %s ago: %s -> %s, %s"
            .formatted(
                Ages.of(facts.ago(last.at())),
                last.from() == null ? "none" : last.from(),
                last.to(),
                last.reason()));
    return new Explanation(verdict, more, change);
  }

  private static String verdict(Facts facts, HostRole hostRole) {
    String host = hostRole.host().name();
    String name = hostRole.recorder().name();
    String holder = String.valueOf(hostRole.recorder().status().holder());
    boolean isHeld = Activity.of(facts, hostRole.recorder()).isHeld();
    PausedRecorder paused = hostRole.recorder().paused();
    String does = paused == null ? " does" : " holds it, and it is paused";
    String who = isHeld ? holder + does : "no host does";
    return switch (hostRole.actual()) {
      case ACTIVE ->
          hostRole.why() == null
              ? "%s records %s".formatted(host, name)
              : "%s holds %s, but makes no progress: %s".formatted(host, name, hostRole.why());
      case PAUSED ->
          hostRole.recorder().isLog()
              ? "%s holds %s and does not record it: it is %s".formatted(host, name, paused)
              : "%s processes no requests of %s: it is %s".formatted(host, name, paused);
      case STUCK -> "%s should record %s, but makes no progress".formatted(host, name);
      case WORKS -> "%s processes requests of %s, as every host does".formatted(host, name);
      case STANDBY -> "%s does not record %s: it is a standby, and %s".formatted(host, name, who);
      case NOT_ABLE ->
          "%s does not record %s: it is not able to%s; %s"
              .formatted(host, name, hostRole.orInItsLog(), who);
      case REFUSED ->
          "%s does not record %s: it is refused there%s; %s"
              .formatted(host, name, hostRole.orInItsLog(), who);
      case SILENT ->
          "%s does not record %s: it is silent, frozen or cut off; %s".formatted(host, name, who);
      case GONE ->
          "%s does not record %s: %s; %s"
              .formatted(
                  host,
                  name,
                  facts.readOnly()
                      ? "it cannot register, since the database is read-only"
                      : "it is gone: stopped, frozen or cut off",
                  who);
    };
  }

  private static List<String> evidence(Facts facts, HostRole hostRole, Optional<LockHolder> lock) {
    HostFacts host = hostRole.host();
    RecorderStatus row = hostRole.recorder().status();
    List<String> lines = new ArrayList<>();
    lines.add(
        "its session: %s; its last heartbeat: %s ago"
            .formatted(
                host.hasSession() ? "there" : "not there",
                Ages.of(facts.ago(host.status().lastBeat()))));
    if (!host.isAlive()) {
      lines.add("what it stated before is outdated and not shown");
    }
    WantedRole wanted = hostRole.wanted();
    lines.add(
        wanted == null
            ? "its file has the recorder, but the database has no row of it"
            : "its role in its file%s: %s"
                .formatted(
                    host.isAlive() ? "" : " at its last heartbeat",
                    wanted.name().toLowerCase(Locale.ROOT)));
    if (host.isAlive() && hostRole.recorder().isLog()) {
      String able =
          host.isAble(hostRole.recorder())
              ? "yes"
              : hostRole.waitsForKey() ? "once it has the key of its election" : "no";
      lines.add("able to take it, as it states: " + able);
    }
    if (hostRole.recorder().isLog()) {
      lines.add(
          "the recorder's row: holder %s, epoch %d"
              .formatted(row.holder() == null ? "none" : row.holder(), row.epoch()));
      lines.add("its lock on the server: " + lock.map(LockHolder::toString).orElse("free"));
      lines.add(
          "last settled slot: %d%s"
              .formatted(
                  row.lastSlot(),
                  row.lastSettledAt() == null
                      ? ""
                      : ", " + Ages.of(facts.ago(row.lastSettledAt())) + " ago"));
    }
    LastVerdict verdict = hostRole.recorder().verdict();
    if (verdict != null) {
      lines.add(verdict.summary());
      if (verdict.askedBy() != null) {
        lines.add("a verification of the whole log is asked for by " + verdict.askedBy());
      }
    }
    if (hostRole.recorder().switchTo() != null) {
      lines.add(
          "it is moving to %s (%s)"
              .formatted(hostRole.recorder().switchTo(), hostRole.recorder().switchWhy()));
    }
    lines.addAll(others(facts, hostRole.recorder(), host));
    return lines;
  }

  /** Returns the other living hosts that have the recorder. */
  private static List<String> others(Facts facts, RecorderFacts recorder, HostFacts host) {
    return HostRole.others(facts, recorder, host)
        .map(other -> "%s is alive: %s".formatted(other.host().name(), other.actual().word()))
        .toList();
  }
}
