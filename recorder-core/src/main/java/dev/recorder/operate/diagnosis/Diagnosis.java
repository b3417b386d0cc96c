package dev.recorder.operate.diagnosis;

import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.Limits;
import dev.recorder.operate.site.RecorderFacts;
import java.util.List;
import java.util.Optional;

/**
 * The judgement of a site. It is made once, and status, page, metrics and explanations only render
 * it. Pure; made of one look at the database.
 *
 * @param hostRoles one for each recorder and each host that has it, or had it lately
 * @param activities one for each recorder that was ever run
 * @param notes of problems, the gravest first
 */
public record Diagnosis(
    Facts facts, List<HostRole> hostRoles, List<Activity> activities, List<Note> notes) {
  public Diagnosis {
    hostRoles = List.copyOf(hostRoles);
    activities = List.copyOf(activities);
    notes = List.copyOf(notes);
  }

  /**
   * Judges a site.
   *
   * @param limits beyond which something gets a note
   */
  public static Diagnosis of(Facts facts, Limits limits) {
    return new Diagnosis(
        facts,
        HostRole.all(facts),
        facts.recorders().stream().map(recorder -> Activity.of(facts, recorder)).toList(),
        Notes.of(facts, limits));
  }

  /**
   * Returns the role of a host for a recorder that it has, or had lately; the recorder may never
   * have run.
   */
  public Optional<HostRole> role(String recorder, String host) {
    return hostRoles.stream()
        .filter(role -> role.recorder().name().equals(recorder) && role.host().name().equals(host))
        .findFirst();
  }

  /** Returns the living hosts that could take a log now. */
  public List<String> takers(RecorderFacts recorder) {
    return HostRole.living(facts, recorder).stream()
        .filter(HostRole::couldTake)
        .map(role -> role.host().name())
        .toList();
  }

  /** Returns the activity of a recorder of these facts. */
  public Activity activity(RecorderFacts recorder) {
    return activities.stream()
        .filter(each -> each.recorder().lockId() == recorder.lockId())
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("not of these facts: " + recorder.name()));
  }
}
