package dev.recorder.store;

/**
 * Port: a record of the races that a store has lost. All hosts see it, also after a restart.
 * Whether racing writers meet is a matter of chance. A store that has lost one race is therefore
 * not trusted because it wins the next one. An administrator must state that the store was
 * repaired.
 *
 * <p>As thread-safe as its source of data. Answers instead of throwing.
 */
public interface StoreViolations {

  /** The part of a message that says that waiting does not help. */
  String NO_MORE_TESTS = "no host tests this store again";

  /** The result of a look for lost races. */
  sealed interface ViolationFinding {}

  record None() implements ViolationFinding {}

  /**
   * The store has lost a race.
   *
   * @param why when the race was lost, which host saw it, what it saw, and the remedy
   */
  record Lost(String why) implements ViolationFinding {}

  /** Whether the store has lost a race could not be determined. */
  record Unknown(String why) implements ViolationFinding {}

  /** Looks for a lost race because of which this guarantee must not be relied on. */
  ViolationFinding find(StoreGuarantee asked);

  /**
   * Records that the store has lost a race.
   *
   * @param what the observation, without the names of the test's objects
   * @return why the race could not be recorded; empty if it was recorded
   */
  String note(StoreGuarantee lost, String what);
}
