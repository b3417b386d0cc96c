package dev.recorder.machine;

import dev.recorder.postgres.Neighbour;
import dev.recorder.postgres.Registration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Something that machines of one database should have in common and have not.
 *
 * @param what names it, and the machines
 */
record Difference(String what) {

  /** All there are between this machine and its neighbours. Pure. */
  static Collection<Difference> all(Registration mine, List<Neighbour> neighbours) {
    Set<Difference> found = new LinkedHashSet<>();
    sections(mine.sectionHashes(), neighbours, found);
    primaries(mine, neighbours, found);
    for (Neighbour neighbour : neighbours) {
      if (!neighbour.version().equals(mine.version())) {
        found.add(
            new Difference(
                "this machine runs version "
                    + mine.version()
                    + ", "
                    + neighbour.name()
                    + " runs "
                    + neighbour.version()
                    + ": they work together; bring both to one version soon"));
      }
    }
    return found;
  }

  /** A section that only one of two machines has is a difference too, but for a recorder's. */
  private static void sections(
      Map<String, String> mine, List<Neighbour> neighbours, Set<Difference> found) {
    Map<String, Set<String>> hostsBySection = new TreeMap<>();
    for (Neighbour neighbour : neighbours) {
      Set<String> sections = new TreeSet<>(mine.keySet());
      sections.retainAll(neighbour.sectionHashes().keySet());
      for (String section : sections) {
        if (!String.valueOf(mine.get(section)).equals(neighbour.sectionHashes().get(section))) {
          hostsBySection.computeIfAbsent(section, s -> new TreeSet<>()).add(neighbour.name());
        }
      }
    }
    hostsBySection.forEach(
        (section, hosts) ->
            found.add(
                new Difference(
                    "section ["
                        + section
                        + "] differs between this machine and "
                        + String.join(", ", hosts)
                        + ": all but the machine's name and primary should be the same"
                        + " on all hosts")));
  }

  private static void primaries(
      Registration mine, List<Neighbour> neighbours, Set<Difference> found) {
    for (int lockId : new TreeSet<>(mine.primaryFor())) {
      List<String> others = new ArrayList<>();
      for (Neighbour neighbour : neighbours) {
        if (neighbour.primaryFor().contains(lockId)) {
          others.add(neighbour.name());
        }
      }
      if (!others.isEmpty()) {
        found.add(
            new Difference(
                "the recorder with lockid "
                    + lockId
                    + " has more than one primary: this machine and "
                    + String.join(", ", others)
                    + "; the first to come keeps it; leave primary = true on one host only"));
      }
    }
  }

  String sentence() {
    return what;
  }
}
