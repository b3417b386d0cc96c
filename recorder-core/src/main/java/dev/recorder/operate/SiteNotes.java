package dev.recorder.operate;

import dev.recorder.leadership.postgres.Condition;
import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.operate.Note.NoteKind;
import dev.recorder.operate.Note.Severity;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What concerns hosts, files and the server rather than one recorder. Pure. */
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
      }
    }
    new FileNotes(facts, notes).add();
    versions();
    horizon();
    if (!facts.stated()) {
      note(
          Severity.NOTICE,
          NoteKind.NOT_STATED,
          "",
          "why hosts are not able, refused or stuck is in their logs only: let an administrator"
              + " run the output of 'recorder schema', which makes a table for it");
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
          "hosts run versions %s: bring them to one soon"
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
