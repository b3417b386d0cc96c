package dev.recorder.store;

/**
 * Port: the races that a store has lost, kept where every host sees them, also after a restart.
 * Whether racing writers meet is a matter of chance. A store that lost once is therefore not
 * trusted because it wins the next race; an administrator must state that it was repaired.
 *
 * <p>As thread-safe as what it reads. Answers instead of throwing.
 */
public interface LostRaces {

  /** The part of a message that says that waiting does not help. */
  String NO_MORE_TESTS = "no host tests this store again";

  /** What is known of the store. */
  sealed interface RaceFinding {}

  record None() implements RaceFinding {}

  /**
   * The store has lost a race.
   *
   * @param why when, seen by which host, what was seen, and the remedy
   */
  record Lost(String why) implements RaceFinding {}

  /** It could not be determined. */
  record Unknown(String why) implements RaceFinding {}

  /** The lost race that forbids to rely on this promise of the store, if there is one. */
  RaceFinding find(Promise asked);

  /**
   * Records that the store has lost a race.
   *
   * @param what was seen, without the names of the test's objects
   * @return why it could not be recorded; empty if it was
   */
  String note(Promise lost, String what);
}
