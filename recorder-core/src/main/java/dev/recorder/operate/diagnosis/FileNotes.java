package dev.recorder.operate.diagnosis;

import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.leadership.postgres.SectionHash;
import dev.recorder.operate.diagnosis.Note.NoteKind;
import dev.recorder.operate.diagnosis.Note.Severity;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.HostFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Notes differences between the files of living hosts that should not exist. Pure. */
record FileNotes(Facts facts, List<Note> notes) {
  private static final int MOST_NAMED = 5;

  /** Hosts whose section has the same hash. */
  private record HostGroup(SectionHash hash, List<String> hosts) {
    String names() {
      return String.join(" and ", hosts);
    }
  }

  void add() {
    // By section, then by the hash of its content.
    Map<String, Map<String, HostGroup>> sections = new TreeMap<>();
    List<HostFacts> told =
        facts.living().stream().filter(host -> !host.sections().isEmpty()).toList();
    for (HostFacts host : told) {
      host.sections()
          .forEach(
              (section, text) -> {
                SectionHash hash = SectionHash.parse(text);
                sections
                    .computeIfAbsent(section, s -> new TreeMap<>())
                    .computeIfAbsent(hash.whole(), h -> new HostGroup(hash, new ArrayList<>()))
                    .hosts()
                    .add(host.name());
              });
    }
    // By the hosts that lack sections: sections of the site, and sections of recorders.
    Map<String, List<String>> common = new TreeMap<>();
    Map<String, List<String>> recorders = new TreeMap<>();
    for (HostFacts host : facts.living()) {
      host.condition("", About.RESTART)
          .ifPresent(
              waits ->
                  notes.add(
                      new Note(
                          Severity.NOTICE,
                          NoteKind.FILES_DIFFER,
                          "",
                          host.name(),
                          "its file has changes that need a restart: " + waits.why())));
    }
    sections.forEach(
        (section, groups) -> {
          differing(section, List.copyOf(groups.values()));
          String without = without(section, told);
          if (!without.isEmpty()) {
            (section.contains(":") ? recorders : common)
                .computeIfAbsent(without, w -> new ArrayList<>())
                .add("[" + section + "]");
          }
        });
    common.forEach(this::missing);
    recorders.forEach(this::missing);
  }

  private void differing(String section, List<HostGroup> groups) {
    if (groups.size() > 1) {
      String keys =
          String.join(", ", SectionHash.unlike(groups.stream().map(HostGroup::hash).toList()));
      String hosts =
          groups.stream()
              .map(HostGroup::names)
              .sorted()
              .collect(Collectors.joining(", other than "));
      note(
          Severity.WARNING,
          "files differ in [%s]%s: %s".formatted(section, keys.isEmpty() ? "" : " " + keys, hosts));
    }
  }

  private static String without(String section, List<HostFacts> told) {
    return told.stream()
        .filter(host -> !host.sections().containsKey(section))
        .map(HostFacts::name)
        .collect(Collectors.joining(" and "));
  }

  /**
   * Notes missing recorders. A host without a recorder cannot be its standby, which may be
   * intended.
   */
  private void missing(String hosts, List<String> sections) {
    int more = sections.size() - MOST_NAMED;
    note(
        Severity.NOTICE,
        "files differ: %s%s not on %s"
            .formatted(
                sections.stream().limit(MOST_NAMED).collect(Collectors.joining(", ")),
                more > 0 ? " and " + more + " more are" : sections.size() > 1 ? " are" : " is",
                hosts));
  }

  private void note(Severity severity, String sentence) {
    notes.add(new Note(severity, NoteKind.FILES_DIFFER, "", "", sentence));
  }
}
