package dev.recorder.machine.poll;

import static dev.recorder.testing.Patience.await;

import dev.recorder.handoff.RecorderName;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Reads a table whenever it is told that rows may have come, and at no other time. */
final class WaitingReader implements AutoCloseable {
  private final Connection connection;
  private final RecorderName recorder;
  private final RowSignal signal;
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicInteger looks = new AtomicInteger();
  private volatile int rows;

  WaitingReader(TestDatabase database, RowPoller poller, RecorderName recorder)
      throws SQLException {
    this.connection = database.connect();
    this.recorder = recorder;
    this.signal = poller.signal(recorder);
    thread.execute(this::read);
  }

  int reads() {
    return reads.get();
  }

  int rows() {
    return rows;
  }

  private void read() {
    signal.reads();
    try (Statement statement = connection.createStatement();
        ResultSet count = statement.executeQuery("SELECT count(*) FROM handoff." + recorder)) {
      count.next();
      rows = count.getInt(1);
    } catch (SQLException noTable) {
      rows = -1;
    }
    reads.incrementAndGet();
    signal.await(1, System.nanoTime(), () -> thread.execute(this::read));
  }

  void awaitRows(int count) {
    await().until(() -> rows == count);
  }

  /** Until so many looks have found nothing new. */
  void awaitLooks(int count) {
    long[] before = {signal.idleAt()};
    looks.set(0);
    await()
        .pollInterval(5, TimeUnit.MILLISECONDS)
        .until(
            () -> {
              long now = signal.idleAt();
              boolean looked = now != before[0];
              before[0] = now;
              return (looked ? looks.incrementAndGet() : looks.get()) >= count;
            });
  }

  /** Until looks follow each other that find nothing to tell. */
  void awaitQuiet() {
    await()
        .until(
            () -> {
              int before = reads.get();
              awaitLooks(4);
              return reads.get() == before;
            });
  }

  @Override
  public void close() throws SQLException {
    signal.close();
    thread.shutdownNow();
    connection.close();
  }
}
