package dev.recorder.machine;

import dev.recorder.handoff.RecorderName;
import dev.recorder.lock.DistributedLock;
import dev.recorder.machine.settings.ElectionKind;
import dev.recorder.store.DocumentStore;
import dev.recorder.time.DatabaseTime;
import java.time.Duration;
import java.util.function.Function;

/**
 * What a machine uses beside the database. Stays open when the machine has stopped.
 *
 * @param stores gives the bucket of a recorder; buckets may be shared
 * @param keys gives the lock by which a recorder of {@link ElectionKind#REDIS} is elected
 * @param retry the pause before a key that somebody else had is asked for again
 * @param time told with each heartbeat
 */
public record Services(
    Function<RecorderName, DocumentStore> stores,
    Function<RecorderName, DistributedLock> keys,
    Duration retry,
    DatabaseTime time) {

  /** For recorders that are all elected in the database. */
  public static Services of(Function<RecorderName, DocumentStore> stores) {
    return of(stores, new DatabaseTime());
  }

  /** The same, for stores that need the database's time. */
  public static Services of(Function<RecorderName, DocumentStore> stores, DatabaseTime time) {
    return new Services(
        stores,
        recorder -> {
          throw new IllegalStateException("no key elects recorder " + recorder);
        },
        Duration.ofSeconds(5),
        time);
  }
}
