package dev.recorder.app.feature;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Recording;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.HttpSite;
import dev.recorder.app.harness.Particulars;
import dev.recorder.app.harness.Product;
import dev.recorder.app.harness.RecordedSeries;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.S3Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Recorded rows leave the table, by whoever is active, and stand in the log. */
@Timeout(900)
class RecordedRowsGoIT {
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final Set<String> LOG = Set.of("orders");

  private static final String CLEARING_WAITS =
      "recorder_clearing_waits_seconds{recorder=\"orders\"}";

  private static final int MANY = Integer.getInteger("clearing.rows", 20_000);

  /**
   * Makes more than the 64 MB at which a leaf is left that is not to be kept: of rows that nobody
   * has to record, prove and read for that.
   */
  private static final int ROLLED_BACK = 40_000;

  private S3Server s3;
  private Cluster cluster;
  private Connection producer;
  private long inserted;
  private Duration longestInsert = Duration.ZERO;

  @BeforeEach
  void open() throws SQLException {
    s3 = S3Server.start();
    cluster =
        Cluster.on(
            PostgresServer.shared(), s3, Wiring.DIRECT, new Recording(List.of("orders"), "1s"));
    producer = cluster.database().connect();
  }

  @AfterEach
  void close() throws Exception {
    producer.close();
    cluster.close();
    s3.close();
  }

  @Test
  void theTableStaysSmallAndNothingIsLostWhoeverDies() throws Exception {
    HttpSite site = HttpSite.of(cluster.host("host-a", LOG, Particulars.PATIENT));
    Host a = clearing(site.host());
    a.awaitLog("active (start)", SOON);
    Host b = clearing(cluster.host("host-b", Set.of(), Particulars.PATIENT));
    RecordedSeries series = new RecordedSeries("clearing_behind");
    try (Connection stranger = cluster.database().connect()) {
      stranger.setAutoCommit(false);
      insert(stranger, 1, 4);
      insertMany();
      awaitNextBlock();
      series.isOver(site.page(), "RecorderClearingBehind");
      insertMany(); // What the other host is to clear is there before this one clears the first.
      awaitWaiting(site);
      series.firesWhenItGoesOn(site.page(), Duration.ofMinutes(66), "RecorderClearingBehind");
      stranger.rollback();
    }
    awaitCleared(a);

    a.kill();
    awaitCleared(b);

    cluster.awaitRecorded(inserted, SOON);
    awaitRowsOfSlotsGone();
    System.out.println(
        "figure: " + MANY + " rows cleared, longest insert, ms: " + longestInsert.toMillis());
    assertThat(cluster.bucket().rows()).isEqualTo(inserted);
    assertThat(
            cluster
                .database()
                .number(
                    "SELECT (SELECT sum(cleared_rows) FROM recorder.blocks)"
                        + " + (SELECT count(*) FROM handoff.orders)"))
        .isEqualTo(inserted);
    assertThat(cluster.database().number("SELECT count(*) FROM handoff.orders"))
        .isLessThan(inserted / 2);
    Product.Outcome verify = cluster.spawn("verify", "-o", "json");
    assertThat(verify.exitCode()).as(verify.output()).isZero();
    Product.Outcome preview = cluster.spawn("clear", "orders", "--dry-run");
    assertThat(preview.output()).contains("GOES", "new rows come into it");
    series.check();
  }

  private static Host clearing(Host host) throws Exception {
    return host.edit("linger = 1s", "linger = 1s\nhistory = 0").start();
  }

  /** It needs not wait where the newest rows are those of a closed leaf: so there are new ones. */
  private void awaitWaiting(HttpSite site) throws Exception {
    long deadline = System.nanoTime() + SOON.toNanos();
    while (site.metric(CLEARING_WAITS) <= 0) {
      assertThat(System.nanoTime())
          .as(() -> "until clearing waits; log: " + site.host().log())
          .isLessThan(deadline);
      insert(1);
      Thread.sleep(100);
    }
  }

  /** Producers go on meanwhile: the newest rows are not cleared away. */
  private void awaitCleared(Host host) throws Exception {
    long deadline = System.nanoTime() + SOON.toNanos();
    String cleared = "SELECT count(*) FROM recorder.blocks WHERE cleared_by = '%s'";
    while (cluster.database().number(cleared.formatted(host.name())) == 0) {
      assertThat(System.nanoTime()).as(() -> "log: " + host.log()).isLessThan(deadline);
      long begun = System.nanoTime();
      insert(1);
      Duration took = Duration.ofNanos(System.nanoTime() - begun);
      longestInsert = took.compareTo(longestInsert) > 0 ? took : longestInsert;
      Thread.sleep(100);
    }
  }

  /** The first leaf is closed, and not cleared yet: that is the next turn's. */
  private void awaitNextBlock() throws Exception {
    long deadline = System.nanoTime() + SOON.toNanos();
    while (cluster.database().number("SELECT max(block) FROM recorder.blocks") == 0) {
      assertThat(System.nanoTime()).as("until the block changes").isLessThan(deadline);
      Thread.sleep(50);
    }
  }

  /** Rows of slots go a turn after the rows that these cover. */
  private void awaitRowsOfSlotsGone() throws Exception {
    long deadline = System.nanoTime() + SOON.toNanos();
    while (cluster.database().number("SELECT min(slot) FROM recorder.slots") == 1) {
      assertThat(System.nanoTime()).as("until rows of slots are deleted").isLessThan(deadline);
      Thread.sleep(100);
    }
  }

  private void insertMany() throws SQLException {
    producer.setAutoCommit(false);
    insert(producer, ROLLED_BACK, 56);
    producer.rollback();
    producer.setAutoCommit(true);
    insert(MANY);
  }

  private void insert(int rows) throws SQLException {
    insert(producer, rows, 4);
    inserted += rows;
  }

  private static void insert(Connection connection, int rows, int words) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "INSERT INTO handoff.orders (key, payload) SELECT 'k' || n, json_build_object('n', n,"
              + " 'text', repeat(md5(n::text), %d)) FROM generate_series(1, %d) n"
                  .formatted(words, rows));
    }
  }
}
