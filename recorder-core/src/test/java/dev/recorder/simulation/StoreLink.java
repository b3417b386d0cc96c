package dev.recorder.simulation;

import dev.recorder.simulation.servers.FakeSession;
import dev.recorder.simulation.servers.RefusingStore;
import dev.recorder.simulation.time.OneAnswer;
import dev.recorder.store.ObjectStore;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Brings requests to the store and answers back, or not. */
final class StoreLink {
  static final long ATTEMPT_TIMEOUT = Duration.ofSeconds(2).toNanos();
  private static final long TYPICAL = 10_000_000;
  private static final List<Trouble> PUT_TROUBLES =
      List.of(
          Trouble.PUT_LATE,
          Trouble.PUT_ORPHANED,
          Trouble.PUT_REPEATED,
          Trouble.PUT_DONE_BUT_FAILED,
          Trouble.PUT_REFUSED,
          Trouble.STORE_ANSWER_LOST);

  private final SimulatedMachine machine;
  private final SimulatedProcess process;
  private final World world;
  private final List<Trouble> putTroubles;
  private final boolean losesAnswers;

  StoreLink(SimulatedMachine machine, SimulatedProcess process) {
    this.machine = machine;
    this.process = process;
    this.world = machine.world;
    this.putTroubles = world.profile.troubleList().stream().filter(PUT_TROUBLES::contains).toList();
    this.losesAnswers = putTroubles.contains(Trouble.STORE_ANSWER_LOST);
  }

  /** Sends a request other than a PUT. */
  <T> void get(
      String what,
      Function<ObjectStore, T> request,
      Function<String, T> unclear,
      Consumer<T> taker) {
    OneAnswer<T> answer = process.awaitAnswer(ATTEMPT_TIMEOUT, what, unclear, taker);
    boolean lost = isInTrouble() && losesAnswers;
    carry(what, world.latency(TYPICAL), () -> request.apply(world.store), lost ? null : answer);
  }

  /** Sends a PUT of {@code key}. It may be carried out at any later time, and more than once. */
  <T> void put(
      String key,
      String what,
      Function<ObjectStore, T> request,
      Function<String, T> unclear,
      Consumer<T> taker) {
    OneAnswer<T> answer = process.awaitAnswer(ATTEMPT_TIMEOUT, what, unclear, taker);
    long delay = world.latency(TYPICAL);
    Supplier<T> atStore =
        () -> {
          world.orphans.meet(key, process);
          return request.apply(world.store);
        };
    Trouble trouble =
        isInTrouble() && !putTroubles.isEmpty() ? world.chance.pick(putTroubles) : null;
    if (trouble == null) {
      carry(what, delay, atStore, answer);
      return;
    }
    switch (trouble) {
      case PUT_LATE -> carry(what + " late", late(), atStore, answer);
      case PUT_ORPHANED -> {
        world.time.after(delay, "the server ends a session", this::endControlSession);
        world.orphans.add(
            key,
            process,
            4 * ATTEMPT_TIMEOUT,
            what + " orphaned",
            () -> world.time.note(Words.of(request.apply(world.store))));
      }
      case PUT_REPEATED -> {
        boolean firstAnswers = world.chance.hit(0.5);
        carry(what, delay, atStore, firstAnswers ? answer : null);
        carry(
            what + " again",
            firstAnswers ? delay + late() : delay + world.latency(TYPICAL),
            atStore,
            firstAnswers ? null : answer);
      }
      case PUT_DONE_BUT_FAILED ->
          carry(
              what,
              delay,
              () -> {
                T unused = atStore.get();
                return unclear.apply("500 after it was written");
              },
              answer);
      case PUT_REFUSED ->
          carry(what + " refused", delay, () -> request.apply(new RefusingStore()), answer);
      default -> carry(what, delay, atStore, null);
    }
  }

  private <T> void carry(
      String what, long delay, Supplier<T> request, @Nullable OneAnswer<T> answer) {
    machine.toStore.carry(
        delay,
        what,
        () -> {
          T result = request.get();
          world.time.note(Words.of(result));
          if (answer != null) {
            machine.fromStore.carry(
                world.latency(TYPICAL),
                what,
                () -> machine.run(process, () -> answer.give(result)));
          }
        });
  }

  private void endControlSession() {
    FakeSession session = process.control().session();
    if (session != null) {
      session.end();
    }
  }

  /** Before or after its sender, or the sender's successor, has tried again. */
  private long late() {
    return world.chance.hit(0.5)
        ? world.chance.between(0, ATTEMPT_TIMEOUT / 4)
        : world.chance.between(ATTEMPT_TIMEOUT / 4, 4 * ATTEMPT_TIMEOUT);
  }

  private boolean isInTrouble() {
    return world.chance.hit(world.profile.trouble()) && world.isTroubled();
  }
}
