package dev.recorder.app.bench;

import dev.recorder.testing.servers.TestDatabase;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/**
 * Clients that insert into one table as fast as they can, each on its own connection and thread,
 * again and again for a while.
 */
final class Producing implements AutoCloseable {
  static final int ROWS_PER_COPY = 1_000;
  private static final String PAYLOAD = "{\"text\": \"" + "x".repeat(185) + "\"}";

  private final List<Connection> connections = new ArrayList<>();
  private final ExecutorService threads;
  private final Kind kind;

  /** What a client does, and how many rows that is. */
  enum Kind {
    SINGLE {
      @Override
      Call on(Connection connection, String table) throws Exception {
        PreparedStatement insert =
            connection.prepareStatement(
                "INSERT INTO " + table + " (key, payload) VALUES ('key', '" + PAYLOAD + "')");
        return () -> {
          insert.executeUpdate();
          return 1;
        };
      }
    },
    COPY {
      @Override
      Call on(Connection connection, String table) throws Exception {
        CopyManager copy = connection.unwrap(PGConnection.class).getCopyAPI();
        String rows = ("key\t" + PAYLOAD + "\n").repeat(ROWS_PER_COPY);
        return () ->
            copy.copyIn("COPY " + table + " (key, payload) FROM STDIN", new StringReader(rows));
      }
    };

    abstract Call on(Connection connection, String table) throws Exception;
  }

  /** One transaction; the rows that it brought. */
  interface Call {
    long insert() throws Exception;
  }

  Producing(TestDatabase database, Kind kind, int clients) throws Exception {
    this.kind = kind;
    this.threads = Executors.newFixedThreadPool(clients);
    for (int i = 0; i < clients; i++) {
      connections.add(database.connect());
    }
  }

  /** Rows per second into a table, from all clients together. */
  double into(String table, Duration time) throws Exception {
    CyclicBarrier start = new CyclicBarrier(connections.size());
    List<Callable<Double>> clients = new ArrayList<>();
    for (Connection connection : connections) {
      Call call = kind.on(connection, table);
      clients.add(
          () -> {
            start.await();
            long begun = System.nanoTime();
            long rows = 0;
            long nanos = 0;
            while (nanos < time.toNanos()) {
              rows += call.insert();
              nanos = System.nanoTime() - begun;
            }
            return rows * 1e9 / nanos;
          });
    }
    double rate = 0;
    for (Future<Double> each : threads.invokeAll(clients)) {
      rate += each.get();
    }
    return rate;
  }

  @Override
  public void close() throws Exception {
    threads.shutdownNow();
    for (Connection connection : connections) {
      connection.close();
    }
  }
}
