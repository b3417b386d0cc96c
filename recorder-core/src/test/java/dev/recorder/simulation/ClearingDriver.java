package dev.recorder.simulation;

import dev.recorder.clearing.ClearingPlan;
import dev.recorder.clearing.LogClearing;
import dev.recorder.clearing.LogClearing.Report;
import dev.recorder.handoff.Term;
import dev.recorder.simulation.time.Arrivals;
import dev.recorder.simulation.time.Fiber;
import dev.recorder.store.ObjectStore;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Clears a recorder's table in one term, on a session of its own, turn after turn. */
final class ClearingDriver {
  private static final ClearingPlan AT_ONCE = new ClearingPlan(Duration.ZERO);

  private final SimulatedMachine machine;
  private final SimulatedProcess process;
  private final DatabaseLink link;
  private final Term term;
  private final LogClearing clearing;
  private Fiber fiber = new Fiber();
  private @Nullable Connection current;

  /** A connection as the client sees it. */
  private static final class Connection {
    private final Arrivals arrivals = new Arrivals();
    private @Nullable LeafStatements session;
    private boolean abandoned;
  }

  /** What came of a statement. */
  private record Answer<T>(@Nullable T value, String lost) {
    @Override
    public String toString() {
      return value == null ? lost : value instanceof Boolean ? value.toString() : "answered";
    }
  }

  ClearingDriver(SimulatedMachine machine, SimulatedProcess process, DatabaseLink link, Term term) {
    this.machine = machine;
    this.process = process;
    this.link = link;
    this.term = term;
    this.clearing = new LogClearing(bucket(), machine.world.layout(term.lockId()), this::goesOn);
  }

  void start() {
    if (machine.world.profile.clears()) {
      machine.later(process, machine.world.clearingPause(), "clears", this::turn);
    }
  }

  private boolean isOver() {
    WriterDriver writer = process.writer(term.lockId());
    return writer == null || writer.term().epoch() != term.epoch();
  }

  private boolean goesOn() {
    return !isOver() && process.lease().isAlive();
  }

  private void turn() {
    if (isOver()) {
      abandon();
    } else if (goesOn()) {
      fiber = machine.world.fiber();
      fiber.start(this::runTurn);
    } else {
      start();
    }
  }

  private void runTurn() {
    FakeLeaves leaves = new FakeLeaves(server(), machine.world.mutation);
    try {
      for (Report report : clearing.turn(leaves, AT_ONCE)) {
        machine.world.time.note(machine.name + " " + report);
        machine.world.cleared += report.isCleared() ? 1 : 0;
      }
    } catch (FakeLeaves.LostException lost) {
      abandon();
    }
    start();
  }

  // ---- its way to the database

  private FakeLeaves.Server server() {
    return new FakeLeaves.Server() {
      @Override
      public <T> T ask(String what, Function<LeafStatements, T> statement) {
        Answer<T> answer =
            fiber.await(
                taker ->
                    machine.later(
                        process,
                        machine.world.hesitation(),
                        "sends",
                        () -> send(what, statement, taker)));
        T value = answer.value();
        if (value == null) {
          throw new FakeLeaves.LostException(answer.lost());
        }
        return value;
      }

      @Override
      public Object connection() {
        return current == null ? new Object() : current;
      }
    };
  }

  private <T> void send(
      String what, Function<LeafStatements, T> statement, Consumer<Answer<T>> taker) {
    Connection connection = current == null ? new Connection() : current;
    current = connection;
    Supplier<Answer<T>> atServer =
        () -> {
          LeafStatements session = open(connection);
          if (session == null) {
            return new Answer<>(null, "terminating connection");
          }
          return new Answer<>(statement.apply(session), "");
        };
    link.call(connection.arrivals, what, atServer, why -> new Answer<>(null, why), taker);
  }

  private @Nullable LeafStatements open(Connection connection) {
    LeafStatements session = connection.session;
    if (session == null && !connection.abandoned && machine.address().isUp()) {
      session =
          new LeafStatements(machine.address().open(machine.name, false), term, machine.world);
      connection.session = session;
    }
    if (session == null || !session.session().isAlive()) {
      return null;
    }
    session.session().database().use(session.session());
    return session;
  }

  private void abandon() {
    Connection connection = current;
    current = null;
    if (connection != null) {
      connection.abandoned = true;
      link.close(
          connection.arrivals,
          () -> {
            if (connection.session != null) {
              connection.session.session().end();
            }
          });
    }
  }

  // ---- its way to the store

  private ObjectStore bucket() {
    return new ObjectStore() {
      @Override
      public GetAnswer get(String key) {
        return fiber.await(
            taker ->
                process
                    .store()
                    .<GetAnswer>get(
                        "reads " + key,
                        bucket -> bucket.get(key),
                        why -> new Unclear(why, false),
                        taker));
      }

      @Override
      public HeadAnswer head(String key) {
        throw new UnsupportedOperationException("clearing reads whole objects");
      }

      @Override
      public PutAnswer putIfAbsent(String key, byte[] body, Map<String, String> metadata) {
        throw new UnsupportedOperationException("clearing writes no objects");
      }
    };
  }
}
