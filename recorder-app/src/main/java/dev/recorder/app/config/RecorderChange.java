package dev.recorder.app.config;

import dev.recorder.app.config.recorder.RecorderSection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a changed file means for one recorder. */
public record RecorderChange(String recorder, ChangeKind kind) {
  private static final Pattern SECTION =
      Pattern.compile("\\[" + RecorderSection.SECTION + "([a-z0-9_]+)] .*");

  /** What it means; the gravest of all that it means. */
  public enum ChangeKind {
    /** It runs here from now on. */
    STARTED,
    /** It no longer runs here; if it was active here, another host may take it. */
    STOPPED,
    /** This host is no longer its primary; if it is active here, it goes to the host that is. */
    NOT_PREFERRED,
    /** This host is its primary now, and it comes here. */
    PREFERRED,
    /** Something else of it changed that takes effect at once. */
    CHANGED,
    /** What changed of it takes effect after a restart only. */
    NEEDS_RESTART,
    UNCHANGED;

    /** As scripts are told it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The inverse of {@link #word()}; empty for what only another version knows. */
    public static Optional<ChangeKind> named(String word) {
      return Arrays.stream(values()).filter(kind -> kind.word().equals(word)).findFirst();
    }
  }

  /** Of each recorder that runs, or that the file names; those of the file first, in its order. */
  public static List<RecorderChange> all(RecorderConfig running, Reload reload) {
    List<RecorderChange> changes = new ArrayList<>();
    Set<String> waiting = needingRestart(reload);
    for (RecorderSection wanted : reload.config().recorders()) {
      changes.add(new RecorderChange(wanted.name(), kind(running, wanted, waiting)));
      waiting.remove(wanted.name());
    }
    for (RecorderSection before : running.recorders()) {
      if (reload.config().recorder(before.name()).isEmpty()) {
        changes.add(new RecorderChange(before.name(), ChangeKind.STOPPED));
        waiting.remove(before.name());
      }
    }
    waiting.forEach(name -> changes.add(new RecorderChange(name, ChangeKind.NEEDS_RESTART)));
    return List.copyOf(changes);
  }

  private static ChangeKind kind(
      RecorderConfig running, RecorderSection wanted, Set<String> waiting) {
    Optional<RecorderSection> found = running.recorder(wanted.name());
    if (found.isEmpty()) {
      return ChangeKind.STARTED;
    }
    RecorderSection before = found.get();
    if (before.primary() != wanted.primary()) {
      return wanted.primary() ? ChangeKind.PREFERRED : ChangeKind.NOT_PREFERRED;
    } else if (!before.equals(wanted)) {
      return ChangeKind.CHANGED;
    }
    return waiting.contains(wanted.name()) ? ChangeKind.NEEDS_RESTART : ChangeKind.UNCHANGED;
  }

  private static Set<String> needingRestart(Reload reload) {
    Set<String> names = new LinkedHashSet<>();
    for (String what : reload.needsRestart()) {
      Matcher section = SECTION.matcher(what);
      if (section.matches()) {
        names.add(section.group(1));
      }
    }
    return names;
  }
}
