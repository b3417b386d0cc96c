package dev.recorder.operate.diagnosis;

import dev.recorder.leadership.postgres.Condition;
import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.operate.diagnosis.Note.NoteKind;
import dev.recorder.operate.diagnosis.Note.Severity;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.HorizonFacts;
import dev.recorder.operate.site.HostFacts;
import dev.recorder.operate.site.Limits;
import dev.recorder.postgres.DatabaseException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Notes on hosts, files and the server, rather than on one recorder. Pure. */
record SiteNotes(Facts facts, Limits limits, List<Note> notes) {

  void add() {
    for (HostFacts host : facts.hosts()) {
      if (host.hasSession() && !host.isAlive()) {
        note(
            Severity.WARNING,
            NoteKind.SILENT,
            host.name(),
            "silent for %s, though its session is there: frozen, or cut off"
                .formatted(Ages.of(facts.ago(host.status().lastBeat()))));
      } else if (!host.isAlive() && !facts.readOnly()) {
        gone(host);
      }
    }
    if (facts.readOnly()) {
      note(
          Severity.CRITICAL,
          NoteKind.READ_ONLY,
          "",
          "the database is read-only, so no host can register or record"
              + DatabaseException.READ_ONLY_REMEDY);
    }
    new FileNotes(facts, notes).add();
    versions();
    horizon();
  }

  /**
   * Notes a host that is gone: as a mere notice while it may just be restarting, and not after a
   * day.
   */
  private void gone(HostFacts host) {
    Duration since = facts.ago(host.status().lastBeat());
    if (facts.isShown(host)) {
      note(
          since.compareTo(Limits.CHECKING) < 0 ? Severity.NOTICE : Severity.WARNING,
          NoteKind.GONE,
          host.name(),
          "no heartbeat for %s: stopped, dead or cut off; a host without heartbeats is listed for a day"
              .formatted(Ages.of(since)));
    }
  }

  private void versions() {
    Set<String> versions =
        facts.living().stream()
            .map(host -> host.status().version())
            .collect(Collectors.toCollection(TreeSet::new));
    if (versions.size() > 1) {
      note(
          Severity.NOTICE,
          NoteKind.VERSIONS_DIFFER,
          "",
          "hosts run versions %s: update them to one version"
              .formatted(String.join(" and ", versions)));
    }
  }

  private void horizon() {
    Optional<HorizonFacts> seen = facts.horizon();
    Instant since = seen.map(HorizonFacts::since).orElse(null);
    if (since != null) {
      if (facts.ago(since).compareTo(limits.lasting()) > 0) {
        held("for " + Ages.of(facts.ago(since)), seen.get().what());
      }
      return;
    }
    Optional<Condition> stated =
        facts.living().stream().flatMap(h -> h.condition("", About.XMIN).stream()).findFirst();
    stated.ifPresent(
        c ->
            held(
                "for more than %s (since when exactly only members of pg_read_all_stats may see)"
                    .formatted(Ages.of(limits.lasting())),
                c.why()));
  }

  private void held(String how, String what) {
    note(
        Severity.WARNING,
        NoteKind.XMIN_HELD,
        "",
        "old row versions are held back " + how + " by " + what);
  }

  private void note(Severity severity, NoteKind kind, String host, String sentence) {
    notes.add(new Note(severity, kind, "", host, sentence));
  }
}
