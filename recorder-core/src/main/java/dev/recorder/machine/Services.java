package dev.recorder.machine;

import dev.recorder.handoff.RecorderName;
import dev.recorder.lock.DistributedLock;
import dev.recorder.machine.settings.ElectionKind;
import dev.recorder.store.DocumentStore;
import dev.recorder.time.DatabaseTime;
import java.time.Duration;
import java.util.function.Function;

/**
 * The services that a host uses beside the database. They stay open when the host has stopped.
 *
 * @param stores gives the bucket of a recorder; buckets may be shared
 * @param keys gives the lock by which a recorder of {@link ElectionKind#REDIS} is elected
 * @param retry the pause before a key that another host held is requested again
 * @param time receives the database's time with each heartbeat
 */
public record Services(
    Function<RecorderName, DocumentStore> stores,
    Function<RecorderName, DistributedLock> keys,
    Duration retry,
    DatabaseTime time) {

  /** Services for recorders that are all elected in the database. */
  public static Services of(Function<RecorderName, DocumentStore> stores) {
    return of(stores, new DatabaseTime());
  }

  /** Services for recorders that are all elected in the database, and stores that need its time. */
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
