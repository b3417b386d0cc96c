package dev.recorder.simulation.servers;

import dev.recorder.leadership.ControlSession;
import dev.recorder.leadership.ControlSessionContract;
import dev.recorder.leadership.ControlSessionFixture;
import dev.recorder.leadership.HandoverRequest;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The simulator's control sessions behave like real ones. */
class FakeControlSessionTest extends ControlSessionContract {
  @Override
  protected ControlSessionFixture newFixture() {
    return new Fixture();
  }

  private static final class Fixture implements ControlSessionFixture {
    private final Map<String, FakeControlSession> latest = new HashMap<>();
    private long now;
    private final FakeDatabase database = new Servers(() -> now).current();

    Fixture() {
      database.createRecorder(ORDERS, new UUID(0, ORDERS));
      database.createRecorder(INVOICES, new UUID(0, INVOICES));
    }

    @Override
    public ControlSession process(String machine, Set<Integer> primaryFor) {
      FakeControlSession process =
          new FakeControlSession(database, machine, Set.of(ORDERS, INVOICES), primaryFor);
      latest.put(machine, process);
      return process;
    }

    @Override
    public void prefer(String machine, Set<Integer> primaryFor) {
      latest.get(machine).become(primaryFor);
    }

    @Override
    public void order(String to, boolean withdrawn) {
      RecorderRow row = database.recorder(ORDERS);
      HandoverRequest request = new HandoverRequest(to, HandoverRequest.Why.OPERATOR);
      database.write(
          () -> {
            database.tables().recorders.put(ORDERS, row.requested(request));
            if (!withdrawn) {
              database.tables().orders.put(ORDERS, to);
            }
          });
    }

    @Override
    public void pass(Duration time) {
      now += time.toNanos();
    }

    @Override
    public void endSession(String machine) {
      database.sessions().stream()
          .filter(session -> session.machine().equals(machine) && session.isControl())
          .forEach(FakeSession::end);
    }

    @Override
    public void close() {
      database.sessions().forEach(FakeSession::end);
    }
  }
}
