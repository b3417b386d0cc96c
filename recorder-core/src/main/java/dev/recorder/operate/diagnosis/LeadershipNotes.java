package dev.recorder.operate.diagnosis;

import dev.recorder.leadership.postgres.Condition;
import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.operate.diagnosis.Note.NoteKind;
import dev.recorder.operate.diagnosis.Note.Severity;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.HostFacts;
import dev.recorder.operate.site.Limits;
import dev.recorder.operate.site.RecorderFacts;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Who records a log, and who could. Pure. */
record LeadershipNotes(Facts facts, Limits limits, RecorderFacts recorder, List<Note> notes) {

  void add() {
    Activity activity = Activity.of(facts, recorder);
    if (!activity.isHeld()) {
      nobody();
    } else if (recorder.switchTo() != null) {
      note(
          Severity.NOTICE,
          NoteKind.MOVING,
          "",
          "it is moving to %s (%s)".formatted(recorder.switchTo(), recorder.switchWhy()));
    }
    for (HostFacts host : facts.living()) {
      candidate(host);
    }
    fewAble(activity);
    twoPrimaries();
  }

  private void nobody() {
    Instant since = recorder.lastSign();
    boolean isMoving =
        since != null
            && facts.ago(since).compareTo(limits.takeover()) < 0
            && facts.living().stream().anyMatch(host -> host.standsBy(recorder));
    String starting = since == null || isNews(since) ? names(beingChecked()) : "";
    boolean isPassing = isMoving || !starting.isEmpty();
    note(
        isPassing ? Severity.NOTICE : Severity.CRITICAL,
        isPassing ? NoteKind.MOVING : NoteKind.NOBODY_RECORDS,
        "",
        isMoving
            ? "no host records it at the moment: it is being taken over"
            : isPassing
                ? "no host records it at the moment: testing whether %s can take it over"
                    .formatted(starting)
                : "%s: %s"
                    .formatted(
                        since == null
                            ? "no host has ever recorded it"
                            : "no host has recorded it for " + age(since),
                        whyNobody()));
  }

  private boolean isNews(Instant since) {
    return facts.ago(since).compareTo(Limits.CHECKING) < 0;
  }

  private List<HostFacts> beingChecked() {
    return facts.living().stream()
        .filter(host -> !host.isActive(recorder) && host.isBeingChecked(recorder))
        .toList();
  }

  private String whyNobody() {
    List<HostFacts> living = facts.living();
    if (living.isEmpty()) {
      return facts.whyNoHost();
    }
    List<HostFacts> candidates = living.stream().filter(host -> host.has(recorder)).toList();
    if (candidates.isEmpty()) {
      return "no living host has it in its file";
    }
    String able = names(candidates.stream().filter(host -> host.isAble(recorder)).toList());
    if (!able.isEmpty()) {
      return able + " could take it, but none does: 'recorder explain' says who holds its lock";
    }
    String waiting = names(candidates.stream().filter(host -> host.waitsForKey(recorder)).toList());
    return waiting.isEmpty()
        ? "no living host is able to take it"
        : waiting
            + " could take it with the key of its election, which has yet to expire, or Redis does"
            + " not answer";
  }

  private void candidate(HostFacts host) {
    Optional<Condition> refused = host.condition(recorder.name(), About.REFUSED);
    Optional<Condition> unable = host.condition(recorder.name(), About.UNABLE);
    if (host.isStuck(recorder)) {
      String how =
          host.condition(recorder.name(), About.HELD_UP)
              .map(c -> "it has been stuck for " + Ages.of(c.lasts()) + ": " + c.why())
              .orElse("it is stuck; the cause is not known");
      note(Severity.CRITICAL, NoteKind.STUCK, host.name(), how);
    }
    host.condition(recorder.name(), About.DRAINED)
        .ifPresent(
            drained ->
                note(
                    Severity.NOTICE,
                    NoteKind.MOVING,
                    host.name(),
                    "%s, and keeps it until another host is able to take it; '%s%s' ends that"
                        .formatted(drained.why(), Condition.UNDRAIN, host.name())));
    if (refused.isPresent()) {
      note(Severity.WARNING, NoteKind.REFUSED, host.name(), "refused: " + refused.get().why());
    } else if (host.has(recorder) && !host.standsBy(recorder) && !host.isActive(recorder)) {
      String why = unable.map(Condition::why).orElse("its log has the reason");
      note(
          host.isBeingChecked(recorder) ? Severity.NOTICE : Severity.WARNING,
          NoteKind.NOT_ABLE,
          host.name(),
          "not able to take it: " + why);
    }
  }

  private void fewAble(Activity activity) {
    if (activity.isHeld() && activity.able().size() < limits.hosts()) {
      note(
          beingChecked().isEmpty() ? Severity.WARNING : Severity.NOTICE,
          NoteKind.FEW_ABLE,
          "",
          few(activity));
    }
  }

  private String few(Activity activity) {
    if (!activity.standbys().isEmpty()) {
      return "only %s have it or are able to take it over, and hosts = %d"
          .formatted(names(activity.able()), limits.hosts());
    }
    String nobody = "no host is able to take it over from " + activity.names();
    return facts.hosts().size() > 1
        ? nobody
        : nobody + "; for a single host, set hosts = 1 in [machine]";
  }

  private void twoPrimaries() {
    List<HostFacts> primaries =
        facts.living().stream().filter(host -> host.isPrimary(recorder)).toList();
    if (primaries.size() > 1) {
      note(
          Severity.WARNING,
          NoteKind.TWO_PRIMARIES,
          "",
          "%s are all its primary: leave primary = true on one host only"
              .formatted(names(primaries)));
    }
  }

  private String age(Instant then) {
    return Ages.of(facts.ago(then));
  }

  private static String names(List<HostFacts> hosts) {
    return hosts.stream().map(HostFacts::name).collect(Collectors.joining(", "));
  }

  private void note(Severity severity, NoteKind kind, String host, String sentence) {
    notes.add(new Note(severity, kind, recorder.name(), host, sentence));
  }
}
