package dev.recorder.clearing.postgres;

import static dev.recorder.testing.Patience.A_MINUTE;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.audit.HandoffRows;
import dev.recorder.audit.postgres.StoredRows;
import dev.recorder.handoff.KeptRow;
import dev.recorder.operate.RebaseSite;
import dev.recorder.testing.PostgresServer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A table of an earlier version gets leaves while others are at work on it. */
class UpgradeUnderLoadIT {
  private static final int ROWS = 200_000;
  private static final int PRODUCERS = 3;

  private final AtomicBoolean goOn = new AtomicBoolean(true);
  private final AtomicLong inserted = new AtomicLong();
  private final AtomicLong longestNanos = new AtomicLong();
  private List<CompletableFuture<Void>> producers = List.of();
  private EarlierSite earlier;
  private RebaseSite site;

  @BeforeEach
  void create() throws Exception {
    earlier = new EarlierSite(PostgresServer.shared());
    site = earlier.site;
  }

  @AfterEach
  void drop() throws Exception {
    earlier.close();
  }

  @Test
  void producersInsertAllTheWhileAndNoRowIsLost() throws Exception {
    site.run(
        "INSERT INTO handoff.orders (key, payload) SELECT n::text, json_build_object('n', n)"
            + " FROM generate_series(1, "
            + ROWS
            + ") n");
    site.record(50_000, 2);
    producers =
        Stream.generate(() -> CompletableFuture.runAsync(this::produce)).limit(PRODUCERS).toList();
    awaitMore(100);
    long before = longestNanos.getAndSet(0);

    earlier.turnUntilItHasLeaves();

    awaitMore(100);
    long during = longestNanos.get();
    earlier.turn();
    earlier.rotate(0);
    awaitMore(100);
    goOn.set(false);
    producers.forEach(CompletableFuture::join);
    System.out.printf(
        "figure: longest insert before, and while a table of %d rows gets leaves, ms: %d, %d%n",
        ROWS, before / 1_000_000, during / 1_000_000);
    assertThat(Duration.ofNanos(during)).isLessThan(A_MINUTE);
    site.record(100_000);
    assertThat(site.verify().findings()).isEmpty();
    assertThat(earlier.lines()).hasSize((int) (ROWS + inserted.get())).doesNotHaveDuplicates();
    assertThat(earlier.turn()).allMatch(report -> report.isCleared(), "cleared");
    assertThat(site.ask("SELECT min(id) >> 32 FROM handoff.orders")).containsExactly("1");
    assertThat(site.verify().findings()).isEmpty();
  }

  /** As an application does: one statement prepared on the server, each row a transaction. */
  private void produce() {
    String insert = "INSERT INTO handoff.orders (key, payload) VALUES (?, '{}')";
    try (Connection connection = site.database.connect();
        PreparedStatement statement = connection.prepareStatement(insert)) {
      while (goOn.get()) {
        long begun = System.nanoTime();
        statement.setString(1, "p" + inserted.incrementAndGet());
        statement.executeUpdate();
        longestNanos.accumulateAndGet(System.nanoTime() - begun, Math::max);
        Thread.sleep(1);
      }
    } catch (SQLException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void awaitMore(int rows) {
    long enough = inserted.get() + rows;
    await("inserts")
        .pollDelay(Duration.ofMillis(1))
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> {
              producers.stream().filter(CompletableFuture::isDone).forEach(CompletableFuture::join);
              return inserted.get() >= enough;
            });
  }

  /** It would look for the rest of the rows under a name that other rows have now. */
  @Test
  void whoReadsThePartitionMeanwhileIsToldToReadAgain() throws Exception {
    site.insert("a");
    HandoffRows.RowSink meanwhile =
        new HandoffRows.RowSink() {
          @Override
          public void row(KeptRow row) {}

          @Override
          public void progress(long read, long pages) {
            earlier.turnUntilItHasLeaves();
          }
        };
    try (StoredRows rows = StoredRows.open(site.sessions(), RebaseSite.ORDERS, 1)) {
      assertThatThrownBy(() -> rows.scan(meanwhile)).hasMessageContaining("was rewritten, renamed");
    }
  }
}
