package dev.recorder.requests;

import java.util.List;
import java.util.Map;

/** What became of a unit. */
public sealed interface Verdict {

  /**
   * Each request that is named here is settled, in one transaction; the unit's others stay new.
   *
   * @param failed why, by id
   */
  record Settled(List<Long> complete, Map<Long, String> failed) implements Verdict {
    public Settled {
      complete = List.copyOf(complete);
      failed = Map.copyOf(failed);
    }
  }

  /**
   * Requests in status error turned out to have taken effect: they are complete. Nothing else was
   * done; the unit's own requests stay new and are claimed again.
   *
   * @param fence of the unit that did them
   */
  record Found(List<Long> applied, long fence) implements Verdict {
    public Found {
      applied = List.copyOf(applied);
    }
  }

  /** Not now: all stay new until a later attempt, or become errors if that was the last one. */
  record Postponed(String why) implements Verdict {}
}
