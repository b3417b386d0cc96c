package dev.recorder.store;

/**
 * Port: the races that one store has lost, kept where every host sees them, also after a restart.
 * Whether racing writers meet is a matter of chance: a store that lost once is not made safe by a
 * race that it decides well, so that somebody has to say that it was put right.
 *
 * <p>Thread-safe if what it asks is. Answers instead of throwing.
 */
public interface LostRaces {

  /** How it is said of a store that lost one: waiting does not help. */
  String NO_MORE_TESTS = "no host tests this store again";

  /** What is known of the store. */
  sealed interface RaceFinding {}

  /** Nothing that speaks against it. */
  record None() implements RaceFinding {}

  /**
   * It lost a race.
   *
   * @param why when, who saw it and what was seen, and what an operator can do
   */
  record Lost(String why) implements RaceFinding {}

  /** Nobody could say. */
  record Unknown(String why) implements RaceFinding {}

  /** What is known that speaks against a store of which this is asked. */
  RaceFinding find(Promise asked);

  /**
   * Notes that the store has lost a race.
   *
   * @param what was seen, without the names of the test's objects
   * @return why it could not be noted; empty if it was
   */
  String note(Promise lost, String what);
}
