package dev.recorder.app.daemon;

import dev.recorder.metrics.MachineMetrics;
import dev.recorder.metrics.Readiness;
import dev.recorder.metrics.Readiness.ReadinessState;
import dev.recorder.operate.diagnosis.Note;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The state of this host in one sentence. The sentence is the gravest note of {@code recorder
 * status} or, without notes, the role of this host for each recorder.
 *
 * @param isFinal whether systemd may be told that the host is ready: it knows of each recorder
 *     whether it could take the recorder, or it waits for a database that it could not use since
 *     its start
 */
record HostSentence(String text, boolean isFinal) {
  /**
   * Most names for each role, so that the sentence fits into a line of {@code systemctl status}.
   */
  private static final int NAMES = 5;

  static HostSentence of(MachineMetrics metrics, Supplier<Optional<Note>> gravestNote) {
    if (!metrics.hasTurned()) {
      return metrics.isUnreached()
          ? new HostSentence("waits for the database", true)
          : new HostSentence("starts", false);
    }
    if (!metrics.isThere()) {
      return new HostSentence("has no session with the database", false);
    }
    Map<String, List<String>> standings = new TreeMap<>();
    boolean isChecking = false;
    for (var log : metrics.logs().entrySet()) {
      Readiness readiness = log.getValue().readiness();
      isChecking |= readiness.state() == ReadinessState.CHECKING && !log.getValue().isActive();
      add(standings, log.getValue().role().name().toLowerCase(Locale.ROOT), log.getKey());
    }
    for (var requests : metrics.requests().entrySet()) {
      Readiness readiness = requests.getValue().readiness();
      isChecking |= readiness == null || readiness.state() == ReadinessState.CHECKING;
      add(standings, requests.getValue().isAble() ? "works" : "unable", requests.getKey());
    }
    List<String> parts = new ArrayList<>();
    standings.forEach((standing, names) -> parts.add(standing + ": " + some(names)));
    String roles = parts.isEmpty() ? "has no recorders" : String.join("; ", parts);
    return new HostSentence(gravestNote.get().map(HostSentence::line).orElse(roles), !isChecking);
  }

  /** Puts the note on one line: systemd would read a second line as another message. */
  private static String line(Note note) {
    return (note.severity() + " " + note.inFull()).replaceAll("\\p{Cntrl}+", " ");
  }

  private static void add(Map<String, List<String>> standings, String standing, String name) {
    standings.computeIfAbsent(standing, any -> new ArrayList<>()).add(name);
  }

  private static String some(List<String> names) {
    return names.size() <= NAMES
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, NAMES)) + " and " + (names.size() - NAMES) + " more";
  }
}
