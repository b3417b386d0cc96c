package dev.recorder.simulation;

import dev.recorder.simulation.time.Arrivals;
import dev.recorder.simulation.time.OneAnswer;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Brings statements to the database and answers back, or not. */
final class DatabaseLink {
  static final long NETWORK_TIMEOUT = Duration.ofSeconds(1).toNanos();
  private static final long TYPICAL = 1_000_000;
  private static final List<Trouble> TROUBLES =
      List.of(Trouble.STATEMENT_LOST, Trouble.STATEMENT_LATE, Trouble.STATEMENT_ANSWER_LOST);

  private final SimulatedMachine machine;
  private final SimulatedProcess process;
  private final World world;
  private final List<Trouble> troubles;

  DatabaseLink(SimulatedMachine machine, SimulatedProcess process) {
    this.machine = machine;
    this.process = process;
    this.world = machine.world;
    this.troubles = world.profile.troubleList().stream().filter(TROUBLES::contains).toList();
  }

  /**
   * Sends a statement.
   *
   * @param statement what the server does when it arrives
   * @param unclear the answer that stands for having none
   */
  <T> void call(
      Arrivals arrivals,
      String what,
      Supplier<T> statement,
      Function<String, T> unclear,
      Consumer<T> taker) {
    OneAnswer<T> answer = process.awaitAnswer(NETWORK_TIMEOUT, what, unclear, taker);
    Trouble trouble = trouble();
    if (trouble != null && trouble != Trouble.STATEMENT_LATE && world.chance.hit(0.5)) {
      machine.later(
          process,
          world.latency(5 * TYPICAL),
          what + " reset",
          () -> answer.give(unclear.apply("connection reset")));
    }
    if (trouble == Trouble.STATEMENT_LOST) {
      return;
    }
    long delay =
        trouble == Trouble.STATEMENT_LATE
            ? world.chance.between(NETWORK_TIMEOUT / 2, 4 * NETWORK_TIMEOUT)
            : world.latency(TYPICAL);
    machine.toDatabase.carry(
        arrivals.next(world.time.now(), delay),
        what,
        () -> {
          T result = statement.get();
          world.time.note(Words.of(result));
          if (trouble != Trouble.STATEMENT_ANSWER_LOST) {
            machine.fromDatabase.carry(
                world.latency(TYPICAL),
                what,
                () -> machine.run(process, () -> answer.give(result)));
          }
        });
  }

  private @Nullable Trouble trouble() {
    boolean hit = world.chance.hit(world.profile.trouble()) && world.isTroubled();
    return hit && !troubles.isEmpty() ? world.chance.pick(troubles) : null;
  }

  /** Tells the server that nobody is there any more; the message may get lost as any other. */
  void close(Arrivals arrivals, Runnable atServer) {
    long delay = arrivals.next(world.time.now(), world.latency(2 * TYPICAL));
    machine.toDatabase.carry(delay, "closes", atServer);
  }
}
