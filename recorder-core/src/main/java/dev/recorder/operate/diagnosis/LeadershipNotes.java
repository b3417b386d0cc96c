package dev.recorder.operate.diagnosis;

import dev.recorder.leadership.postgres.Condition;
import dev.recorder.leadership.postgres.Condition.About;
import dev.recorder.operate.diagnosis.HostRole.Actual;
import dev.recorder.operate.diagnosis.Note.NoteKind;
import dev.recorder.operate.diagnosis.Note.Severity;
import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.HostFacts;
import dev.recorder.operate.site.Limits;
import dev.recorder.operate.site.RecorderFacts;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Notes on the host that records a log, and those that could. Pure. */
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
    living().forEach(this::candidate);
    fewAble(activity);
    twoPrimaries();
  }

  private List<HostRole> living() {
    return HostRole.living(facts, recorder);
  }

  private void nobody() {
    Instant since = recorder.lastSign();
    boolean isMoving =
        since != null
            && facts.ago(since).compareTo(limits.takeover()) < 0
            && living().stream().anyMatch(role -> role.actual() == Actual.STANDBY);
    String starting = since == null || isNews(since) ? names(HostRole::isBeingChecked) : "";
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

  private String whyNobody() {
    if (facts.living().isEmpty()) {
      return facts.whyNoHost();
    } else if (facts.living().stream().noneMatch(host -> host.has(recorder))) {
      return "no living host has it in its file";
    }
    String able = names(HostRole::couldTake);
    if (!able.isEmpty()) {
      return able + " could take it, but none does: 'recorder explain' says who holds its lock";
    }
    String waiting = names(role -> role.waitsForKey() && role.host().has(recorder));
    return waiting.isEmpty()
        ? "no living host is able to take it"
        : waiting
            + " could take it with the key of its election, which has yet to expire, or Redis does"
            + " not answer";
  }

  private void candidate(HostRole role) {
    HostFacts host = role.host();
    if (role.actual() == Actual.STUCK) {
      note(
          Severity.CRITICAL,
          NoteKind.STUCK,
          host.name(),
          role.since() == null
              ? "it is stuck; the cause is not known"
              : "it has been stuck for " + age(role.since()) + ": " + role.why());
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
    if (role.actual() == Actual.REFUSED) {
      note(Severity.WARNING, NoteKind.REFUSED, host.name(), "refused: " + role.why());
    } else if (role.actual() == Actual.NOT_ABLE && host.has(recorder)) {
      note(
          role.isBeingChecked() ? Severity.NOTICE : Severity.WARNING,
          NoteKind.NOT_ABLE,
          host.name(),
          "not able to take it: " + (role.why() == null ? "its log has the reason" : role.why()));
    }
  }

  private void fewAble(Activity activity) {
    if (activity.isHeld() && activity.able().size() < limits.hosts()) {
      note(
          names(HostRole::isBeingChecked).isEmpty() ? Severity.WARNING : Severity.NOTICE,
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

  private String names(Predicate<HostRole> which) {
    return names(living().stream().filter(which).map(HostRole::host).toList());
  }

  private static String names(List<HostFacts> hosts) {
    return hosts.stream().map(HostFacts::name).collect(Collectors.joining(", "));
  }

  private void note(Severity severity, NoteKind kind, String host, String sentence) {
    notes.add(new Note(severity, kind, recorder.name(), host, sentence));
  }
}
