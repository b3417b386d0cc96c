package dev.recorder.simulation;

import dev.recorder.slotlog.Ending;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** What is counted, and promised nowhere. */
final class Statistics {
  private final Map<Ending.EndingKind, Integer> endings = new EnumMap<>(Ending.EndingKind.class);
  private int puts;
  private int supersededPuts;
  private int adoptedByWindow;
  private int adoptedByIdentity;
  private int conflicts;
  private int mostWritersWithLease;
  private int cleared;
  private final Map<String, Integer> notCleared = new TreeMap<>();

  void ended(Ending.EndingKind kind) {
    endings.merge(kind, 1, Integer::sum);
  }

  void sentPut(boolean superseded) {
    puts++;
    if (superseded) {
      supersededPuts++;
    }
  }

  void adopted(boolean byIdentity) {
    if (byIdentity) {
      adoptedByIdentity++;
    } else {
      adoptedByWindow++;
    }
  }

  /** A PUT met somebody else's content. */
  void conflict() {
    conflicts++;
  }

  /** A leaf was emptied, or why not. */
  void turned(boolean emptied, String why) {
    if (emptied) {
      cleared++;
    } else {
      notCleared.merge(
          why.replaceAll("[0-9]+", "N").replaceAll("(object|such as).*", "$1…"), 1, Integer::sum);
    }
  }

  int cleared() {
    return cleared;
  }

  Map<String, Integer> notCleared() {
    return notCleared;
  }

  int adoptedByWindow() {
    return adoptedByWindow;
  }

  int adoptedByIdentity() {
    return adoptedByIdentity;
  }

  int conflicts() {
    return conflicts;
  }

  void writersWithLease(int count) {
    mostWritersWithLease = Math.max(mostWritersWithLease, count);
  }

  int puts() {
    return puts;
  }

  int endings(Ending.EndingKind kind) {
    return endings.getOrDefault(kind, 0);
  }

  /** PUTs that were sent although another term had begun: harmless, and rare. */
  int supersededPuts() {
    return supersededPuts;
  }

  int mostWritersWithLease() {
    return mostWritersWithLease;
  }
}
