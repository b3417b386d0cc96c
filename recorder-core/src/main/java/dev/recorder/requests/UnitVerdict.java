package dev.recorder.requests;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The outcome of a unit. */
public sealed interface UnitVerdict {

  /**
   * The requests named here are settled in one transaction; the unit's others stay new.
   *
   * @param failed reasons by id
   */
  record RequestsSettled(List<Long> complete, Map<Long, String> failed) implements UnitVerdict {
    public RequestsSettled {
      complete = List.copyOf(complete);
      failed = Map.copyOf(failed);
    }

    /** The whole unit is complete. */
    public static RequestsSettled allComplete(WorkUnit unit) {
      return new RequestsSettled(unit.ids(), Map.of());
    }

    /** All requests of the unit failed, for a reason that is independent of the requests. */
    public static RequestsSettled allFailed(WorkUnit unit, String why) {
      return new RequestsSettled(
          List.of(), unit.ids().stream().collect(Collectors.toMap(id -> id, id -> why)));
    }
  }

  /**
   * Requests of an earlier unit with an unknown outcome turned out to have taken effect. They
   * become complete in one transaction, whether they are new, in this unit or not, or errors; this
   * unit's fence is stored with them. Nothing else was done: the unit's other requests stay new,
   * with no attempt counted, and are claimed again.
   */
  record AppliedEarlier(List<Long> applied) implements UnitVerdict {
    public AppliedEarlier {
      applied = List.copyOf(applied);
    }
  }

  /** Nothing was done, and no attempt is counted. */
  record TakenBack() implements UnitVerdict {}

  /** All requests stay new for a later attempt, or become errors after the last one. */
  record Postponed(String why) implements UnitVerdict {}
}
