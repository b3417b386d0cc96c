package dev.recorder.app.feature;

import static dev.recorder.testing.Patience.A_MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.harness.Applications;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Recording;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Holdings;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Particulars;
import dev.recorder.app.harness.Product;
import dev.recorder.schema.EarlierTable;
import dev.recorder.testing.PostgresServer;
import dev.recorder.testing.S3Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An upgrade on a table of an earlier version, while applications insert and hosts die. */
@Timeout(900)
class EarlierTableGetsLeavesIT {
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final Set<String> LOG = Set.of("orders");
  private static final String INSERT =
      "INSERT INTO handoff.orders (key, payload) SELECT 'k' || n, json_build_object('n', n,"
          + " 'text', repeat(md5(n::text), 4)) FROM generate_series(1, %d) n";
  private static final String HAS_LEAVES = "table handoff.orders has leaves now";

  private static final int MANY = 20_000;

  /**
   * Makes more than the 64 MB at which a leaf is left that is not to be kept: of rows that nobody
   * has to record, prove and read for that.
   */
  private static final String ROLLED_BACK =
      "BEGIN; INSERT INTO handoff.orders (key, payload) SELECT 'k' || n, json_build_object('n', n,"
          + " 'text', repeat(md5(n::text), 56)) FROM generate_series(1, 40000) n; ROLLBACK";

  private final AtomicLong inserted = new AtomicLong();
  private final AtomicLong longestNanos = new AtomicLong();
  private S3Server s3;
  private Cluster cluster;

  @BeforeEach
  void open() throws SQLException {
    s3 = S3Server.start();
    cluster =
        Cluster.on(
            PostgresServer.shared(), s3, Wiring.DIRECT, new Recording(List.of("orders"), "1s"));
    try (Connection owner = cluster.database().connect();
        Statement statement = owner.createStatement()) {
      for (String sql : EarlierTable.create()) {
        statement.execute(sql);
      }
    }
  }

  @AfterEach
  void close() throws Exception {
    cluster.close();
    s3.close();
  }

  @Test
  void noRowIsLostAndOldOnesAreClearedWhoeverDies() throws Exception {
    cluster.database().execute(ROLLED_BACK);
    insert(MANY);
    Host a = cluster.host("host-a", LOG, Particulars.PATIENT);
    Host b;
    try (Applications producers =
        Applications.start(
            cluster.database(), Collections.nCopies(3, this::insertOne), Duration.ofMillis(5))) {
      try (Connection open = cluster.database().connect();
          Statement statement = open.createStatement()) {
        open.setAutoCommit(false);
        statement.execute(INSERT.formatted(1));
        clearing(a);
        a.awaitLog("others use it; in its way is database session", SOON);
        b = clearing(cluster.host("host-b", Set.of(), Particulars.PATIENT));
        b.awaitLog("standby", SOON);

        a.kill();

        open.commit();
        inserted.incrementAndGet();
      }
      b.awaitLog(HAS_LEAVES, SOON);
      insert(MANY / 10);
      b.kill();
      a.start();
      awaitCleared();
      producers.stop();
    }
    cluster.awaitRecorded(inserted.get(), SOON);

    System.out.println(
        "figure: longest insert from start to end, ms: " + longestNanos.get() / 1_000_000);
    assertThat(longestNanos.get()).isLessThan(A_MINUTE.toNanos());
    assertThat(cluster.bucket().rows()).as(this::notesAndObjects).isEqualTo(inserted.get());
    assertThat(Holdings.of(cluster.database(), "orders").rows()).isEqualTo(inserted.get());
    Product.Outcome verify = cluster.spawn("verify", "-o", "json");
    assertThat(verify.exitCode()).as(verify.output()).isZero();
    assertThat(cluster.spawn("check", "--online").output()).doesNotContain("recorded rows stay");
  }

  private static Host clearing(Host host) throws Exception {
    return host.edit("linger = 1s", "linger = 1s\nhistory = 0").start();
  }

  private void insertOne(Connection connection) throws SQLException {
    long begun = System.nanoTime();
    try (Statement statement = connection.createStatement()) {
      statement.execute(INSERT.formatted(1));
    }
    connection.commit();
    longestNanos.accumulateAndGet(System.nanoTime() - begun, Math::max);
    inserted.incrementAndGet();
  }

  private void insert(int rows) throws SQLException {
    cluster.database().execute(INSERT.formatted(rows));
    inserted.addAndGet(rows);
  }

  private String notesAndObjects() {
    try {
      return "settled: %s, folded: %s, slots: %s, objects: %s"
          .formatted(
              lines("SELECT last_slot FROM recorder.lock_recorders"),
              lines("SELECT last_slot || ': ' || row_count FROM recorder.folds ORDER BY last_slot"),
              lines("SELECT slot || ': ' || row_count FROM recorder.slots ORDER BY slot"),
              cluster.bucket().slots().stream()
                  .map(slot -> slot.number() + ": " + slot.rows().size())
                  .toList());
    } catch (SQLException e) {
      return e.toString();
    }
  }

  private List<String> lines(String query) throws SQLException {
    return cluster.database().query(query, row -> row.getString(1));
  }

  private void awaitCleared() throws Exception {
    String old = "SELECT cleared_rows FROM recorder.blocks WHERE block = 0";
    while (cluster.database().query(old, row -> row.getLong(1)).stream().noneMatch(n -> n > 0)) {
      Thread.sleep(100);
    }
  }
}
