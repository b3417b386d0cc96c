package dev.recorder.simulation.servers;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The database servers: one, or for a while two that both take themselves for the primary. */
public final class Servers {
  private FakeDatabase current;
  private @Nullable FakeDatabase former;

  /** What no two servers may do on their own. */
  static final class Common {
    /** Every window ever planned: what a reader of S3 metadata could believe in. */
    final Map<String, SlotRow> everPlanned = new HashMap<>();

    /** Makes backend starts differ between servers, as they do. */
    private long sessions;

    /** No two servers go on in the same history. */
    private long timelines;

    long nextTimeline() {
      return ++timelines;
    }

    long nextSession() {
      return ++sessions;
    }
  }

  public Servers(LongSupplier nanos) {
    this.current = new FakeDatabase(nanos, new Common());
  }

  /** Where new connections of those go who know. */
  public FakeDatabase current() {
    return current;
  }

  public List<FakeDatabase> all() {
    return former == null ? List.of(current) : List.of(current, former);
  }

  public boolean areSplit() {
    return former != null;
  }

  /** A standby becomes primary, and the primary goes on. */
  public void split(Tables replica) {
    former = current;
    current = former.standby(replica);
  }

  /** The former primary is shut down. */
  public void endFormer() {
    if (former != null) {
      former.shutDown();
      former = null;
    }
  }
}
