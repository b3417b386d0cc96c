package dev.recorder.requests;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What became of a unit. */
public sealed interface UnitVerdict {

  /**
   * Each request that is named here is settled, in one transaction; the unit's others stay new.
   *
   * @param failed why, by id
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

    /** For a reason that no request of the unit can do anything about. */
    public static RequestsSettled allFailed(WorkUnit unit, String why) {
      return new RequestsSettled(
          List.of(), unit.ids().stream().collect(Collectors.toMap(id -> id, id -> why)));
    }
  }

  /**
   * Requests that an earlier unit had worked on, of which nobody knew the outcome, turned out to
   * have taken effect: they are complete, all of them in one transaction, whether they are new, of
   * this unit or not, or in status error; this unit's fence is kept with them. Nothing else was
   * done; what else the unit has stays new, with no attempt counted, and is claimed again.
   */
  record AppliedEarlier(List<Long> applied) implements UnitVerdict {
    public AppliedEarlier {
      applied = List.copyOf(applied);
    }
  }

  /** Nothing was done, and for no reason of its own: as if it had not been begun. */
  record TakenBack() implements UnitVerdict {}

  /** Not now: all stay new until a later attempt, or become errors if that was the last one. */
  record Postponed(String why) implements UnitVerdict {}
}
