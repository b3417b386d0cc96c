package dev.recorder.app.feature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Recording;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.LogState;
import dev.recorder.app.harness.Observer;
import dev.recorder.app.harness.Particulars;
import dev.recorder.app.harness.Product;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.S3Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What has piled up while nobody recorded is recorded on return: oldest first, in a small heap,
 * while producers go on, and whoever dies in the midst of it.
 */
@Tag("nightly")
@Timeout(900)
class DaysOffIT {
  private static final Duration SOON = Duration.ofMinutes(5);
  private static final int BACKLOG = Integer.getInteger("backlog.rows", 400_000);
  private static final int TRANSACTIONS = 20;
  private static final String HEAP = "-Xmx96m";

  private S3Server s3;
  private Cluster cluster;

  @BeforeEach
  void open() throws SQLException {
    s3 = S3Server.start();
    cluster =
        Cluster.on(
            PostgresServer.shared(), s3, Wiring.DIRECT, new Recording(List.of("orders"), "100ms"));
  }

  @AfterEach
  void close() throws Exception {
    cluster.close();
    s3.close();
  }

  @Test
  void aBacklogIsRecordedInASmallHeapThoughItsRecorderDiesInTheMidstOfIt() throws Exception {
    Particulars small = Particulars.PATIENT.withJvm(HEAP);
    Host a = cluster.host("host-a", Set.of("orders"), small).start();
    a.awaitLog("active (start)", SOON);
    Host b = cluster.host("host-b", Set.of(), small).start();
    try (Observer observer = Observer.ofStory(cluster.database());
        Trickle trickle = new Trickle()) {
      observer.awaitReady(b, SOON);
      LogState before = observer.state();
      pileUp();
      observer.await("some of it", SOON, state -> state.lastSlot() > before.lastSlot() + 1);
      long killed = System.nanoTime();

      a.kill();

      long working = observer.awaitWorking(b, SOON).seenNanos();
      long waiting = BACKLOG - cluster.recordedRows();
      trickle.stop();
      long all = BACKLOG + trickle.inserted();
      cluster.awaitRecorded(all, SOON);
      System.out.printf(
          "figure: taken over %d ms after a death in the midst of %d rows, %d of them not recorded"
              + " yet; peak memory of a heap of 96 MiB: %d MiB%n",
          Duration.ofNanos(working - killed).toMillis(),
          BACKLOG,
          waiting,
          b.peakMemoryKibibytes() >> 10);
      assertThat(waiting).as("rows that were left for the successor").isPositive();
      assertThat(cluster.bucket().rows()).isEqualTo(all);
    }
    Product.Outcome verify = cluster.spawn("verify", "-o", "json");
    assertThat(verify.exitCode()).as(verify.output()).isZero();
  }

  /** All at once for who looks at it: transactions that have inserted, and commit together. */
  private void pileUp() throws SQLException {
    List<Connection> open = new ArrayList<>();
    try {
      for (int i = 0; i < TRANSACTIONS; i++) {
        Connection connection = cluster.database().connect();
        open.add(connection);
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
          statement.execute(
              "INSERT INTO handoff.orders (key, payload) SELECT 'k' || n, json_build_object('n', n,"
                  + " 'text', repeat(md5(n::text), 4)) FROM generate_series(1, "
                  + BACKLOG / TRANSACTIONS
                  + ") n");
        }
      }
      for (Connection connection : open) {
        connection.commit();
      }
    } finally {
      for (Connection connection : open) {
        connection.close();
      }
    }
  }

  /** A producer that goes on all the while. */
  private final class Trickle implements AutoCloseable {
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final Thread thread = new Thread(this::run, "trickle");
    private final AtomicLong inserted = new AtomicLong();
    private volatile @Nullable Exception failure;

    Trickle() {
      thread.start();
    }

    private void run() {
      try {
        while (!stopped.get()) {
          cluster.database().execute("INSERT INTO handoff.orders (payload) VALUES ('{}')");
          inserted.incrementAndGet();
          Thread.sleep(20);
        }
      } catch (SQLException | InterruptedException e) {
        failure = e;
      }
    }

    long inserted() {
      return inserted.get();
    }

    void stop() throws Exception {
      stopped.set(true);
      thread.join();
      Exception met = failure;
      if (met != null) {
        throw met;
      }
    }

    @Override
    public void close() {
      stopped.set(true);
    }
  }
}
