package dev.recorder.simulation;

import dev.recorder.simulation.servers.FakeSession;
import dev.recorder.simulation.servers.LedgerTerm;
import dev.recorder.simulation.time.Arrivals;
import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Event;
import dev.recorder.slotlog.Event.LedgerEvent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The one data session of a process, shared by its recorders, a statement at a time; opened when
 * first needed and again after it broke.
 */
final class DataSessions {
  private final SimulatedMachine machine;
  private final SimulatedProcess process;
  private final DatabaseLink link;
  private final boolean noticesNewSession;
  private final Deque<Job> waiting = new ArrayDeque<>();
  private @Nullable Connection current;
  private boolean busy;

  /** The connection of a writer's last load: what was learned on it need not be true on another. */
  static final class Binding {
    private @Nullable Connection loadedOn;
  }

  /** A statement that waits for its turn. */
  private record Job(
      Effect.LedgerEffect effect,
      Binding binding,
      LedgerTerm term,
      BooleanSupplier mayStart,
      Consumer<LedgerEvent> taker) {}

  /** A connection as the client sees it. */
  private static final class Connection {
    private final Arrivals arrivals = new Arrivals();
    private @Nullable FakeSession session;
    private boolean abandoned;
  }

  DataSessions(SimulatedMachine machine, SimulatedProcess process, DatabaseLink link) {
    this.machine = machine;
    this.process = process;
    this.link = link;
    this.noticesNewSession = machine.world.mutation.noticesNewSession();
  }

  /**
   * Sends an effect when its turn has come.
   *
   * @param mayStart asked right before; if not, the answer is that the lease has ended
   */
  void perform(
      Effect.LedgerEffect effect,
      Binding binding,
      LedgerTerm term,
      BooleanSupplier mayStart,
      Consumer<LedgerEvent> taker) {
    waiting.add(new Job(effect, binding, term, mayStart, taker));
    next();
  }

  private void next() {
    Job job = busy ? null : waiting.poll();
    if (job == null) {
      return;
    }
    busy = true;
    if (!job.mayStart().getAsBoolean()) {
      done(job, new Event.LeaseEnded());
      return;
    }
    // A pause may fall between the look at the lease and the sending.
    machine.later(process, machine.world.hesitation(), "sends", () -> send(job));
  }

  private void send(Job job) {
    Connection connection = current == null ? new Connection() : current;
    current = connection;
    if (job.effect() instanceof Effect.Load) {
      job.binding().loadedOn = connection;
    } else if (job.binding().loadedOn != connection && noticesNewSession) {
      done(job, new Event.DatabaseUnclear("the data session is a new one"));
      return;
    }
    link.<LedgerEvent>call(
        connection.arrivals,
        Words.of(job.effect()),
        () -> atServer(connection, job),
        Event.DatabaseUnclear::new,
        event -> {
          FakeSession session = connection.session;
          boolean broken = session == null || !session.isAlive();
          if (event instanceof Event.DatabaseUnclear unclear && (broken || isNetwork(unclear))) {
            abandon();
          }
          done(job, event);
        });
  }

  private static boolean isNetwork(Event.DatabaseUnclear unclear) {
    return unclear.why().equals("no answer in time") || unclear.why().equals("connection reset");
  }

  private LedgerEvent atServer(Connection connection, Job job) {
    FakeSession session = connection.session;
    if (session == null) {
      if (connection.abandoned || !machine.address().isUp()) {
        return new Event.DatabaseUnclear("nobody was there to open the session");
      }
      session = machine.address().open(machine.name, false);
      connection.session = session;
    }
    return job.term().perform(session, job.effect());
  }

  private void done(Job job, LedgerEvent event) {
    busy = false;
    job.taker().accept(event);
    next();
  }

  /** Lets go of the connection; a statement on its way may still be carried out. */
  void abandon() {
    Connection connection = current;
    current = null;
    if (connection != null) {
      connection.abandoned = true;
      link.close(
          connection.arrivals,
          () -> {
            if (connection.session != null) {
              connection.session.end();
            }
          });
    }
  }
}
