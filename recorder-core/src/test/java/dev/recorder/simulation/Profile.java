package dev.recorder.simulation;

import dev.recorder.simulation.time.Chance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What a run is exposed to.
 *
 * @param faultEvery average time between two faults
 * @param trouble share of requests that get into trouble
 * @param jumble within which steps happen in an order of chance
 * @param clears whether recorded rows are cleared, and applications draw ids early
 */
record Profile(
    String name,
    int machines,
    int recorders,
    Duration length,
    Set<Fault> faults,
    Duration faultEvery,
    Set<Trouble> troubles,
    double trouble,
    Duration jumble,
    boolean clears) {

  private static final EnumSet<Fault> LOSING_HISTORY =
      EnumSet.of(Fault.FAILOVER, Fault.FAILOVER_UNNOTICED, Fault.SPLIT_BRAIN);

  /** In a profile of their own: two of three machines that are drained hide much else. */
  private static final EnumSet<Fault> ORDERS =
      EnumSet.of(Fault.OPERATOR_SWITCHOVER, Fault.OPERATOR_DRAIN);

  /** Nothing goes wrong. */
  static final Profile CALM =
      new Profile(
          "calm",
          2,
          1,
          Duration.ofSeconds(6),
          EnumSet.noneOf(Fault.class),
          Duration.ofSeconds(1),
          EnumSet.noneOf(Trouble.class),
          0,
          Duration.ZERO,
          false);

  Profile {
    faults = Set.copyOf(faults);
    troubles = Set.copyOf(troubles);
  }

  /** Everything that loses no committed history, in a mix that the seed chooses. */
  static Profile ofSeed(long seed) {
    EnumSet<Fault> losingNothing = EnumSet.complementOf(LOSING_HISTORY);
    losingNothing.removeAll(ORDERS);
    return mixed("mixed", new Chance(seed), losingNothing);
  }

  /** As {@link #ofSeed}, and databases lose their last commits. */
  static Profile losingHistory(long seed) {
    Profile mixed = mixed("losing-history", new Chance(seed), EnumSet.complementOf(ORDERS));
    return mixed.with(Fault.FAILOVER);
  }

  /**
   * Terms change often, and what the old term has sent is still on its way: two writers meet at the
   * same slot with different content.
   */
  static Profile zombies(long seed) {
    Chance chance = new Chance(seed);
    return new Profile(
        "zombies",
        2 + chance.below(2),
        1,
        Duration.ofSeconds(8),
        EnumSet.of(Fault.END_SESSION, Fault.KILL),
        Duration.ofMillis(chance.between(500, 1_500)),
        EnumSet.of(Trouble.PUT_LATE, Trouble.PUT_ORPHANED, Trouble.PUT_REPEATED),
        0.5,
        Duration.ofMillis(chance.pick(List.of(0, 1, 20))),
        false);
  }

  /** Statements arrive when nobody expects them any more. */
  static Profile lateStatements(long seed) {
    Chance chance = new Chance(seed);
    return new Profile(
        "late-statements",
        2,
        1,
        Duration.ofSeconds(8),
        EnumSet.of(Fault.SHORT_PAUSE),
        Duration.ofSeconds(3),
        EnumSet.of(Trouble.STATEMENT_LATE, Trouble.STATEMENT_ANSWER_LOST),
        0.05,
        Duration.ofMillis(chance.pick(List.of(0, 0, 1))),
        false);
  }

  /**
   * Failovers to servers without the last commits, with sessions that end one by one, so that one
   * part of a machine has noticed and another has not.
   */
  static Profile rewinds(long seed) {
    Chance chance = new Chance(seed);
    return new Profile(
        "rewinds",
        2,
        2,
        Duration.ofSeconds(8),
        EnumSet.of(Fault.FAILOVER, Fault.FAILOVER_UNNOTICED),
        Duration.ofMillis(chance.between(300, 1_500)),
        EnumSet.of(Trouble.PUT_LATE, Trouble.STATEMENT_LOST),
        0.1,
        Duration.ofMillis(chance.pick(List.of(0, 1))),
        false);
  }

  /** Two servers at a time, each with machines that take it for the primary. */
  static Profile splitBrains(long seed) {
    Chance chance = new Chance(seed);
    return new Profile(
        "split-brains",
        2 + chance.below(2),
        1 + chance.below(2),
        Duration.ofSeconds(10),
        EnumSet.of(Fault.SPLIT_BRAIN, Fault.END_SESSION, Fault.SHORT_PAUSE),
        Duration.ofMillis(chance.between(300, 1_500)),
        EnumSet.of(Trouble.PUT_LATE, Trouble.STATEMENT_LATE),
        0.1,
        Duration.ofMillis(chance.pick(List.of(0, 1))),
        false);
  }

  /** Operators move recorders and drain machines, which also fail. */
  static Profile orders(long seed) {
    Chance chance = new Chance(seed);
    return new Profile(
        "orders",
        2 + chance.below(2),
        1 + chance.below(2),
        Duration.ofSeconds(12),
        EnumSet.of(
            Fault.OPERATOR_SWITCHOVER,
            Fault.OPERATOR_DRAIN,
            Fault.KILL,
            Fault.GRACEFUL_STOP,
            Fault.SHORT_PAUSE,
            Fault.END_SESSION,
            Fault.CUT_FROM_DATABASE),
        Duration.ofMillis(chance.between(100, 1_000)),
        EnumSet.of(Trouble.PUT_LATE, Trouble.STATEMENT_LATE, Trouble.STATEMENT_ANSWER_LOST),
        chance.pick(List.of(0.0, 0.02, 0.1)),
        Duration.ofMillis(chance.pick(List.of(0, 1, 20))),
        false);
  }

  /** Recorded rows are cleared, by machines that are replaced, stand still, and are not heard. */
  static Profile clearing(long seed) {
    Chance chance = new Chance(seed);
    return new Profile(
        "clearing",
        2 + chance.below(2),
        1,
        Duration.ofSeconds(12),
        EnumSet.of(
            Fault.KILL,
            Fault.SHORT_PAUSE,
            Fault.LONG_PAUSE,
            Fault.END_SESSION,
            Fault.DATABASE_CRASH,
            Fault.CUT_DATABASE),
        Duration.ofMillis(chance.between(500, 3_000)),
        EnumSet.of(
            Trouble.PUT_LATE,
            Trouble.PUT_REFUSED,
            Trouble.STORE_ANSWER_LOST,
            Trouble.STATEMENT_LATE,
            Trouble.STATEMENT_ANSWER_LOST),
        chance.pick(List.of(0.0, 0.02, 0.1)),
        Duration.ofMillis(chance.pick(List.of(0, 1, 20))),
        true);
  }

  /** The same, and the database is restored to moments around a clearing. */
  static Profile clearingAndRewinding(long seed) {
    return rewinds(seed).named("clearing-rewinds");
  }

  /** The same with two servers at a time, both of which are cleared. */
  static Profile clearingInSplitBrains(long seed) {
    return splitBrains(seed).named("clearing-split-brains");
  }

  private static Profile mixed(String name, Chance chance, Set<Fault> possible) {
    EnumSet<Fault> faults = EnumSet.noneOf(Fault.class);
    for (Fault fault : Fault.values()) {
      if (possible.contains(fault) && chance.hit(0.4)) {
        faults.add(fault);
      }
    }
    EnumSet<Trouble> troubles = EnumSet.noneOf(Trouble.class);
    for (Trouble trouble : Trouble.values()) {
      if (chance.hit(0.5)) {
        troubles.add(trouble);
      }
    }
    return new Profile(
        name,
        2 + chance.below(2),
        chance.hit(0.3) ? 2 : 1,
        Duration.ofMillis(chance.between(4_000, 16_000)),
        faults,
        Duration.ofMillis(chance.between(200, 3_000)),
        troubles,
        chance.pick(List.of(0.0, 0.01, 0.05, 0.2, 0.4)),
        Duration.ofMillis(chance.pick(List.of(0, 0, 1, 20))),
        false);
  }

  Profile with(Fault fault) {
    EnumSet<Fault> more = EnumSet.of(fault);
    more.addAll(faults);
    return new Profile(
        name, machines, recorders, length, more, faultEvery, troubles, trouble, jumble, clears);
  }

  private Profile named(String other) {
    return new Profile(
        other, machines, recorders, length, faults, faultEvery, troubles, trouble, jumble, true);
  }

  boolean isCalm() {
    return faults.isEmpty() && troubles.isEmpty();
  }

  boolean losesHistory() {
    return faults.stream().anyMatch(LOSING_HISTORY::contains);
  }

  /** In the order of the enum, whatever the set's own order: runs must repeat. */
  List<Fault> faultList() {
    List<Fault> list = new ArrayList<>(faults);
    list.sort(null);
    return list;
  }

  List<Trouble> troubleList() {
    List<Trouble> list = new ArrayList<>(troubles);
    list.sort(null);
    return list;
  }
}
