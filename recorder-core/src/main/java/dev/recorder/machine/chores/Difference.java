package dev.recorder.machine.chores;

import dev.recorder.leadership.postgres.PeerRegistration;
import dev.recorder.leadership.postgres.Registration;
import dev.recorder.leadership.postgres.SectionHash;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A difference in what hosts of one database should have in common.
 *
 * @param what the difference, with the names of the hosts
 * @param passing whether the difference is normal for a while, as when a recorder is added on one
 *     host after the other
 */
record Difference(String what, boolean passing) {

  private Difference(String what) {
    this(what, false);
  }

  /** Returns all differences between this host and its peers. Pure. */
  static Collection<Difference> all(Registration mine, List<PeerRegistration> peers) {
    Set<Difference> found = new LinkedHashSet<>();
    sections(mine.sectionHashes(), peers, found);
    primaries(mine, peers, found);
    for (PeerRegistration peer : peers) {
      if (!peer.version().equals(mine.version())) {
        found.add(
            new Difference(
                "this host runs version "
                    + mine.version()
                    + ", "
                    + peer.name()
                    + " runs "
                    + peer.version()
                    + ": they work together; bring both to one version soon"));
      }
    }
    return found;
  }

  private static void sections(
      Map<String, String> mine, List<PeerRegistration> peers, Set<Difference> found) {
    Map<String, Set<String>> hostsBySection = new TreeMap<>();
    Map<String, Set<String>> keysBySection = new TreeMap<>();
    for (PeerRegistration peer : peers) {
      Set<String> sections = new TreeSet<>(mine.keySet());
      sections.retainAll(peer.sectionHashes().keySet());
      for (String section : sections) {
        SectionHash here = hash(mine, section);
        SectionHash there = hash(peer.sectionHashes(), section);
        if (!here.whole().equals(there.whole())) {
          hostsBySection.computeIfAbsent(section, s -> new TreeSet<>()).add(peer.name());
          keysBySection
              .computeIfAbsent(section, s -> new TreeSet<>())
              .addAll(SectionHash.unlike(List.of(here, there)));
        }
      }
    }
    for (PeerRegistration peer : peers) {
      missing(mine.keySet(), "this host", peer.sectionHashes().keySet(), peer.name())
          .ifPresent(found::add);
      missing(peer.sectionHashes().keySet(), peer.name(), mine.keySet(), "this host")
          .ifPresent(found::add);
    }
    hostsBySection.forEach(
        (section, hosts) ->
            found.add(
                new Difference(
                    "section ["
                        + section
                        + "] differs"
                        + in(keysBySection.getOrDefault(section, Set.of()))
                        + " between this host and "
                        + String.join(", ", hosts)
                        + ": all but the host's name and primary should be the same"
                        + " on all hosts")));
  }

  private static SectionHash hash(Map<String, String> sections, String section) {
    return SectionHash.parse(String.valueOf(sections.get(section)));
  }

  private static String in(Set<String> keys) {
    return keys.isEmpty() ? "" : " in " + String.join(", ", keys);
  }

  /** A recorder that only one of two hosts has, so that the other cannot stand by for it. */
  private static Optional<Difference> missing(
      Set<String> sections, String there, Set<String> others, String host) {
    String missing =
        sections.stream()
            .filter(section -> !others.contains(section))
            .sorted()
            .map(section -> "[" + section + "]")
            .collect(Collectors.joining(", "));
    return missing.isEmpty() || others.isEmpty() || sections.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Difference(
                "%s has %s, %s has not: all hosts should have the same recorders"
                    .formatted(there, missing, host),
                true));
  }

  private static void primaries(
      Registration mine, List<PeerRegistration> peers, Set<Difference> found) {
    for (int lockId : new TreeSet<>(mine.primaryFor())) {
      List<String> others = new ArrayList<>();
      for (PeerRegistration peer : peers) {
        if (peer.primaryFor().contains(lockId)) {
          others.add(peer.name());
        }
      }
      if (!others.isEmpty()) {
        found.add(
            new Difference(
                "the recorder with lockid "
                    + lockId
                    + " has more than one primary: this host and "
                    + String.join(", ", others)
                    + "; the first to come keeps it; leave primary = true on one host only"));
      }
    }
  }

  String sentence() {
    return what;
  }
}
