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

/** The effect of a changed file on one recorder. */
public record RecorderChange(String recorder, ChangeKind kind) {
  private static final Pattern SECTION =
      Pattern.compile("\\[" + RecorderSection.SECTION + "([a-z0-9_]+)] .*");

  /** The effect. If there are several, the first of these that applies. */
  public enum ChangeKind {
    /** The recorder starts here. */
    STARTED,
    /** The recorder stops here. If it was active here, another host may take it. */
    STOPPED,
    /**
     * This host is no longer the recorder's primary. If it is active here, the recorder moves to
     * its primary.
     */
    NOT_PREFERRED,
    /** This host is now the recorder's primary, and the recorder moves here. */
    PREFERRED,
    /** Another change takes effect at once. */
    CHANGED,
    /** A change takes effect only after a restart. */
    NEEDS_RESTART,
    UNCHANGED;

    /** Returns the word for the kind in the output for scripts. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the kind with this {@link #word()}; empty if this version does not know the word. */
    public static Optional<ChangeKind> named(String word) {
      return Arrays.stream(values()).filter(kind -> kind.word().equals(word)).findFirst();
    }
  }

  /**
   * Returns the change of each recorder: first the recorders of the file, in its order, then
   * recorders that run and are not in the file.
   */
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
