package dev.recorder.store;

/**
 * Port: the races that a store has lost, kept where every host sees them, also after a restart.
 * Whether racing writers meet is a matter of chance. A store that lost once is therefore not
 * trusted because it wins the next race; an administrator must state that it was repaired.
 *
 * <p>As thread-safe as what it reads. Answers instead of throwing.
 */
public interface StoreViolations {

  /** The part of a message that says that waiting does not help. */
  String NO_MORE_TESTS = "no host tests this store again";

  /** What is known of the store. */
  sealed interface ViolationFinding {}

  record None() implements ViolationFinding {}

  /**
   * The store has lost a race.
   *
   * @param why when, seen by which host, what was seen, and the remedy
   */
  record Lost(String why) implements ViolationFinding {}

  /** It could not be determined. */
  record Unknown(String why) implements ViolationFinding {}

  /** The lost race that forbids to rely on this promise of the store, if there is one. */
  ViolationFinding find(StoreGuarantee asked);

  /**
   * Records that the store has lost a race.
   *
   * @param what was seen, without the names of the test's objects
   * @return why it could not be recorded; empty if it was
   */
  String note(StoreGuarantee lost, String what);
}
