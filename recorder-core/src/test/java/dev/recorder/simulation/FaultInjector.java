package dev.recorder.simulation;

import dev.recorder.simulation.servers.FakeControlSession;
import dev.recorder.simulation.servers.FakeDatabase;
import dev.recorder.simulation.servers.FakeSession;
import dev.recorder.simulation.servers.Mutation;
import dev.recorder.simulation.servers.Tables;
import dev.recorder.simulation.time.Chance;
import java.time.Duration;
import java.util.List;

/** Brings the profile's faults about, at moments of chance. */
final class FaultInjector {
  private static final long MILLI = 1_000_000;

  private final World world;
  private final Chance chance;
  private final Promises promises;
  private final Producers producers;
  private boolean over;

  FaultInjector(World world, Promises promises, Producers producers) {
    this.world = world;
    this.chance = world.chance.split();
    this.promises = promises;
    this.producers = producers;
  }

  void start() {
    if (world.profile.faults().contains(Fault.DATABASE_CRASH)) {
      world.database().keepDurableState();
    }
    if (world.mutation == Mutation.DELETED_ABOVE_FLOOR) {
      world.time.after(chance.between(500, 3_000) * MILLI, "somebody deletes", this::deleteObject);
    }
    next();
  }

  /** No more faults; everything that was broken is mended. */
  void end() {
    over = true;
    heal();
    for (SimulatedMachine machine : world.machines) {
      machine.heal();
      machine.resume();
      machine.start();
    }
  }

  private void next() {
    List<Fault> faults = world.profile.faultList();
    if (!faults.isEmpty() && !over) {
      long pause = chance.between(1, 2 * world.profile.faultEvery().toNanos());
      Fault fault = chance.pick(faults);
      SimulatedMachine machine = victim();
      world.time.after(pause, fault + " " + machine.name, () -> strike(fault, machine));
    }
  }

  /** Mostly the active machine: the others have less to lose. */
  private SimulatedMachine victim() {
    return chance.hit(0.7) ? world.activeMachine() : chance.pick(world.machines);
  }

  private void strike(Fault fault, SimulatedMachine machine) {
    if (over) {
      return;
    }
    bringAbout(fault, machine);
    next();
  }

  private void bringAbout(Fault fault, SimulatedMachine machine) {
    switch (fault) {
      case KILL -> kill(machine, true);
      case POWER_LOSS -> kill(machine, false);
      case GRACEFUL_STOP -> stop(machine);
      case SHORT_PAUSE -> pause(machine, 500, 1_500);
      case LONG_PAUSE -> pause(machine, 4_000, 6_000);
      case CUT_DATABASE -> cut(machine, machine::cutDatabase);
      case CUT_TO_DATABASE -> cut(machine, machine.toDatabase::cut);
      case CUT_FROM_DATABASE -> cut(machine, machine.fromDatabase::cut);
      case CUT_STORE -> cut(machine, machine::cutStore);
      case CUT_FROM_STORE -> cut(machine, machine.fromStore::cut);
      case CUT_BOTH ->
          cut(
              machine,
              () -> {
                machine.cutDatabase();
                machine.cutStore();
              });
      case END_SESSION -> endSession();
      case DATABASE_CRASH -> crash();
      case FAILOVER -> failover(() -> {});
      case FAILOVER_UNNOTICED -> failover(() -> stallControl(machine));
      case SPLIT_BRAIN -> splitBrain();
      case CLOCK_JUMP -> world.database().jumpClock(Duration.ofSeconds(chance.between(-100, 100)));
      case OPERATOR_PAUSE -> pauseRecorder();
      case OPERATOR_SWITCHOVER -> orderSwitchover();
      case OPERATOR_DRAIN -> drain(machine);
    }
  }

  private void pauseRecorder() {
    int lockId = 1 + chance.below(world.profile.recorders());
    world.database().pause(lockId, chance.between(100, 4_000) * MILLI);
  }

  private void orderSwitchover() {
    int lockId = 1 + chance.below(world.profile.recorders());
    String to = chance.pick(world.machines).name;
    FakeDatabase database = world.database();
    if (database.order(lockId, to)) {
      world.time.after(
          chance.between(0, 2_000) * MILLI,
          "the order to hand over is withdrawn",
          () -> database.withdraw(lockId, to));
    }
  }

  private void drain(SimulatedMachine machine) {
    SimulatedProcess process = machine.process();
    if (process != null) {
      machine.run(process, () -> process.drain(true));
      world.time.after(
          chance.between(500, 4_000) * MILLI,
          "ends the draining of " + machine.name,
          () -> machine.run(process, () -> process.drain(false)));
    }
  }

  private void kill(SimulatedMachine machine, boolean closesConnections) {
    if (machine.isRunning()) {
      machine.kill(closesConnections);
      restartLater(machine);
    }
  }

  private void stop(SimulatedMachine machine) {
    SimulatedProcess process = machine.process();
    if (process != null) {
      machine.run(process, process::stop);
      // Whoever waits for a process to stop kills it in the end.
      world.time.after(
          chance.between(2_000, 5_000) * MILLI,
          "stop is enforced on " + machine.name,
          () -> {
            if (machine.process() == process) {
              machine.kill(true);
            }
            restartLater(machine);
          });
    }
  }

  private void restartLater(SimulatedMachine machine) {
    world.time.after(chance.between(50, 4_000) * MILLI, "starts " + machine.name, machine::start);
  }

  private void pause(SimulatedMachine machine, long leastMillis, long mostMillis) {
    SimulatedProcess process = machine.process();
    if (process != null && !machine.isPaused()) {
      machine.pause();
      world.time.after(
          chance.between(leastMillis, mostMillis) * MILLI,
          "resumes " + machine.name,
          () -> {
            if (machine.process() == process) {
              machine.resume();
            }
          });
    }
  }

  private void cut(SimulatedMachine machine, Runnable cut) {
    cut.run();
    world.time.after(
        chance.between(100, chance.hit(0.5) ? 1_000 : 6_000) * MILLI,
        "heals " + machine.name,
        machine::heal);
  }

  private void endSession() {
    List<FakeSession> sessions = chance.pick(world.servers.all()).sessions();
    if (!sessions.isEmpty()) {
      FakeSession holder = world.database().lockHolder(FakeControlSession.lockOf(1));
      FakeSession session = holder != null && chance.hit(0.5) ? holder : chance.pick(sessions);
      world.time.note("of " + session.machine() + (session.isControl() ? " control" : " data"));
      session.end();
    }
  }

  private void crash() {
    world.database().crash();
    if (!world.profile.losesHistory()) {
      promises.checkLogIsInDatabase();
    }
  }

  private void failover(Runnable before) {
    Tables replica = world.database().tables().copy();
    world.time.after(
        chance.between(0, 1_500) * MILLI,
        "the standby is promoted",
        () -> {
          before.run();
          world.database().promote(replica);
          promises.databaseWentBack(world.database());
          producers.commitWhatIsPrepared();
        });
  }

  private void splitBrain() {
    Tables replica = world.database().tables().copy();
    world.time.after(
        chance.between(0, 1_500) * MILLI, "the standby takes over", () -> split(replica));
  }

  private void split(Tables replica) {
    if (world.servers.areSplit() || over) {
      return;
    }
    world.servers.split(replica);
    producers.commitWhatIsPrepared();
    for (SimulatedMachine machine : world.machines) {
      world.time.after(
          chance.between(0, 3_000) * MILLI, machine.name + " learns of it", machine::learnAddress);
    }
    world.time.after(
        chance.between(100, 6_000) * MILLI, "the former primary is shut down", this::heal);
  }

  private void heal() {
    world.servers.endFormer();
    world.machines.forEach(SimulatedMachine::learnAddress);
  }

  private void stallControl(SimulatedMachine machine) {
    SimulatedProcess process = machine.process();
    if (process != null) {
      process.stallControl(chance.between(100, 2_000) * MILLI);
    }
  }

  private void deleteObject() {
    List<String> slots =
        world.store.keys().stream().filter(key -> !key.endsWith("_log.json")).toList();
    if (!slots.isEmpty()) {
      world.store.delete(chance.pick(slots));
    }
    world.time.after(chance.between(100, 1_000) * MILLI, "somebody deletes", this::deleteObject);
  }
}
