package dev.recorder.operate.diagnosis;

import dev.recorder.operate.site.Facts;
import dev.recorder.operate.site.Limits;
import dev.recorder.operate.site.RecorderFacts;
import java.util.List;
import java.util.Optional;

/**
 * The judgement of a site, made once: status, page, metrics and explanations only render it. Pure,
 * and made of one look at the database.
 *
 * @param hostRoles one for each recorder and each machine that has it, or had it lately
 * @param activities one for each recorder that was ever run
 * @param notes what is not as it should be, the gravest first
 */
public record Diagnosis(
    Facts facts, List<HostRole> hostRoles, List<Activity> activities, List<Note> notes) {
  public Diagnosis {
    hostRoles = List.copyOf(hostRoles);
    activities = List.copyOf(activities);
    notes = List.copyOf(notes);
  }

  /**
   * Judges.
   *
   * @param limits from when on something is worth a note
   */
  public static Diagnosis of(Facts facts, Limits limits) {
    return new Diagnosis(
        facts,
        HostRole.all(facts),
        facts.recorders().stream().map(recorder -> Activity.of(facts, recorder)).toList(),
        Notes.of(facts, limits));
  }

  /** What a machine is to a recorder that it has, or had lately; also one that was never run. */
  public Optional<HostRole> role(String recorder, String host) {
    return hostRoles.stream()
        .filter(role -> role.recorder().name().equals(recorder) && role.host().name().equals(host))
        .findFirst();
  }

  /** The living machines that could take a log now. */
  public List<String> takers(RecorderFacts recorder) {
    return HostRole.living(facts, recorder).stream()
        .filter(HostRole::couldTake)
        .map(role -> role.host().name())
        .toList();
  }

  /** Of a recorder of these facts. */
  public Activity activity(RecorderFacts recorder) {
    return activities.stream()
        .filter(each -> each.recorder().lockId() == recorder.lockId())
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("not of these facts: " + recorder.name()));
  }
}
