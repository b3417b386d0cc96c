package dev.recorder.app.metrics;

import static dev.recorder.app.metrics.LogFamilies.seconds;

import dev.recorder.app.looks.SiteSample;
import dev.recorder.operate.diagnosis.Note;
import dev.recorder.operate.site.RecorderFacts;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The metrics for CloudWatch that come from a sample of the database. */
final class EmfSite {
  private final SiteSample look;
  private final List<RecorderFacts> recorders;

  /**
   * Creates the metrics.
   *
   * @param names the recorders to include
   */
  EmfSite(SiteSample look, Set<String> names) {
    this.look = look;
    this.recorders =
        look.facts().recorders().stream().filter(each -> names.contains(each.name())).toList();
  }

  /** Adds the metrics of the whole site. */
  void add(EmfLine.FigureGroup group) {
    group
        .count("HostsAlive", look.alive())
        .count("UnheldLogs", logs(log -> !look.isHeld(log)) + look.leftBehind().count())
        .count("StuckLogs", logs(look::isStuck))
        .count("LogsHeldUp", look.notes(Note.NoteKind.HELD_UP))
        .count("LogsWithFewHosts", logs(log -> look.able(log) < look.hostsWanted()))
        .count("FileVersions", look.files())
        .count(
            "Misconfigured",
            look.notes(Note.NoteKind.REFUSED) + look.notes(Note.NoteKind.TWO_PRIMARIES))
        .count("RowVersionsHeld", look.notes(Note.NoteKind.XMIN_HELD))
        .seconds("OldestWaiting", longest(this::oldestWaitsUnpaused))
        .seconds("ClearingWaits", longest(look::clearingWaits))
        .count("TablesLate", look.notes(Note.NoteKind.TABLE_LATE))
        .count("LogsWithFaults", logs(look::isFaulty))
        .seconds("VerifyOverdue", longest(look::verifyOverdue));
  }

  /** Adds the metrics of one recorder. */
  void add(String recorder, EmfLine.FigureGroup group) {
    group.seconds("OldestWaiting", longest(look::oldestWaits));
    for (RecorderFacts each : recorders) {
      if (each.isLog()) {
        group.count("HostsAble", look.able(each));
      }
    }
    var requests = look.work().requests().get(recorder);
    if (requests != null) {
      group.count("RequestsDue", requests.due()).count("RequestErrorsLeft", requests.errors());
    }
  }

  /** Returns null while the recorder is paused, since waiting is then intended. */
  private @Nullable Duration oldestWaitsUnpaused(RecorderFacts recorder) {
    return recorder.paused() == null ? look.oldestWaits(recorder) : null;
  }

  private long logs(Predicate<RecorderFacts> which) {
    return recorders.stream().filter(each -> each.isLog() && which.test(each)).count();
  }

  private double longest(Function<RecorderFacts, @Nullable Duration> age) {
    return recorders.stream()
        .map(age)
        .filter(Objects::nonNull)
        .mapToDouble(each -> seconds(each))
        .max()
        .orElse(0);
  }
}
