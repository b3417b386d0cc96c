package dev.recorder.app.feature;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Recording;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Particulars;
import dev.recorder.app.harness.Product;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.S3Server;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Large rows and requests in a small heap: all of them are recorded and processed, by the host that
 * began. With each build a twentieth of them, about what the heap has for rows, and of one log's
 * largest more than all of it; all with {@code -Plong}.
 */
@Timeout(600)
@Execution(ExecutionMode.SAME_THREAD) // One after the other: each takes much memory of the server.
class LargeRowsIT {
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final List<String> LOG = List.of("orders");

  private static final Recording ACCOUNTS =
      Recording.ofRequests("[recorder:accounts]\nlockid = 1\nkind = requests\n");

  private static final int PART = Integer.getInteger("large.part", 20);

  /**
   * Of those of 16 MB: a reader that holds all rows of one answer ends its host with each build.
   */
  private static final int MORE_THAN_THE_HEAP = 17;

  /** Unlike other processes of tests: where so much goes through them it pays. */
  private static final String OPTIMISED = "-XX:TieredStopAtLevel=4";

  private static final Particulars SMALL_HEAP = Particulars.PATIENT.withJvm("-Xmx256m", OPTIMISED);

  private S3Server s3;
  private Cluster cluster;

  private void open(Recording recording) throws SQLException {
    s3 = S3Server.start();
    cluster = Cluster.on(PostgresServer.shared(), s3, Wiring.DIRECT, recording);
  }

  @AfterEach
  void close() throws Exception {
    cluster.close();
    s3.close();
  }

  @Test
  void manyRowsOfAMebibyteAndSomeOfSixteenAreRecordedInASmallHeap() throws Exception {
    record(
        List.of("orders"),
        // Small ones first: what a row takes is not to be guessed from those before it.
        "SELECT 'k' || n, json_build_object('n', n) FROM generate_series(1, 20000) n",
        rows(600, 32_000),
        rows(Math.max(80, MORE_THAN_THE_HEAP * PART), 520_000));
  }

  /** Of a build the simpler stories, and {@code MemoryBudgetTest}. */
  @Tag("nightly")
  @Test
  void tenRecordersWithLargeRowsAtOnceShareASmallHeap() throws Exception {
    record(
        IntStream.range(0, 10).mapToObj(n -> "log" + n).toList(),
        rows(4, 520_000),
        rows(20, 32_000));
  }

  /** What compression does not help: a megabyte packed is half a megabyte. */
  @Tag("nightly")
  @Test
  void rowsThatCannotBePackedWellAreRecordedToo() throws Exception {
    record(
        List.of("orders"),
        "SELECT 'k', to_json((SELECT string_agg(md5(m::text), '') FROM generate_series(1, 500000) m))"
            + " FROM generate_series(1, 4)");
  }

  /** Of a build {@code UnitMemoryTest}: on a busy machine their statements may take too long. */
  @Tag("nightly")
  @Test
  void largeRequestsAreProcessedInASmallHeap() throws Exception {
    open(ACCOUNTS);
    Host host = cluster.host("host-a", Set.of(), SMALL_HEAP).start();
    host.awaitLog("processing requests", SOON);

    cluster
        .database()
        .execute(
            request("create", "n", "json_build_object('n', repeat(md5(n::text), 520000))", 80),
            request(
                "update",
                "n % 3",
                "json_build_object('n', '€' || repeat(md5(n::text), 400000))",
                40),
            // Of ten members, so that no document passes its limit at full size.
            request(
                "update", "n % 3", "json_build_object(n % 10, repeat(md5(n::text), 2000))", 300));

    awaitSettled(host);
    // On a slow machine one may wait for the others' memory for longer than half of its time.
    assertThat(host.alarms())
        .allMatch(alarm -> alarm.toString().contains("no memory was free for it"));
    assertThat(errorsOf("request_status <> 'complete'")).isEmpty();
    // It holds all of an entity's requests at once, which a host never does.
    Product.Outcome verify = cluster.spawn(List.of("-Xmx2g", OPTIMISED), "verify", "-o", "json");
    assertThat(verify.exitCode()).as(verify.output()).isZero();
  }

  /** A tree of them would take thirty times the memory of the text. */
  @Test
  void aDocumentOfMoreMembersThanTheHeapHoldsCostsOneRequestAndNoHost() throws Exception {
    open(ACCOUNTS);
    Host host = cluster.host("host-a", Set.of(), SMALL_HEAP).start();
    host.awaitLog("processing requests", SOON);

    cluster
        .database()
        .execute(
            request(
                "create",
                "'wide'",
                "(SELECT json_object_agg(m, 1) FROM generate_series(1, 300000) m)",
                1),
            request(
                "create",
                "'long'",
                "(SELECT json_build_object('a', json_agg(1)) FROM generate_series(1, 3000000))",
                1),
            request("update", "'wide'", "'{\"n\":1}'", 1),
            request("update", "'long'", "'{\"n\":1}'", 1));

    awaitSettled(host);
    assertThat(errorsOf("request_status <> 'complete'"))
        .singleElement(as(STRING))
        .contains("wide")
        .contains("it has more than")
        .contains("JAVA_OPTS=-Xmx");
  }

  private static String request(String type, String entity, String payload, int most) {
    return "INSERT INTO handoff.accounts (request_type, entity_id, payload) SELECT '%s', %s, %s FROM generate_series(1, %d) n"
        .formatted(type, entity, payload, (most + PART - 1) / PART);
  }

  private void awaitSettled(Host host) throws Exception {
    while (!errorsOf("request_status = 'new'").isEmpty()) {
      assertThat(host.isRunning()).as(() -> "running: " + host.log()).isTrue();
      Thread.sleep(200);
    }
  }

  /** Entity and error of such requests. */
  private List<String> errorsOf(String condition) throws Exception {
    return cluster
        .database()
        .query(
            "SELECT concat_ws(': ', entity_id, error_text) FROM handoff.accounts WHERE "
                + condition,
            row -> row.getString(1));
  }

  @Test
  void aRowThatFitsNoHeapIsNamed() throws Exception {
    open(new Recording(LOG, "100ms"));
    Host host = cluster.host("host-a", Set.copyOf(LOG), SMALL_HEAP).start();
    host.awaitLog("active (start)", SOON);
    // As of a row that was there before the limit was.
    cluster
        .database()
        .execute(
            "ALTER TABLE handoff.orders DROP CONSTRAINT payload_within_max_payload",
            "INSERT INTO handoff.orders (key, payload) VALUES ('small', '1')",
            "INSERT INTO handoff.orders (key, payload) SELECT 'k', to_json(repeat('x', 60000000))");

    host.awaitLog("the row with id 2 and xid", SOON); // The one before it is recorded all the same.
    host.awaitLog("of handoff.orders cannot be recorded, and nothing after it", SOON);
    host.awaitLog("start every host with a heap of", SOON);
    assertThat(cluster.bucket().rows()).isEqualTo(1);
    // Who verifies meets it too, in a heap that has no room for it.
    Product.Outcome verify = cluster.spawn(List.of("-Xmx80m", OPTIMISED), "verify");
    assertThat(verify.exitCode()).as(verify.output()).isZero();
  }

  @Test
  void aMaxPayloadThatFitsNoHeapIsRefusedAtStart() throws Exception {
    open(new Recording(LOG, "100ms"));
    Host host = cluster.host("host-a", Set.copyOf(LOG), SMALL_HEAP);
    host.edit("linger = 100ms", "linger = 100ms\nmax_payload = 64MiB").start();

    host.awaitLog("max_payload = 64MiB: a row of 67108864 bytes does not fit", SOON);
    host.awaitLog("recorder orders is refused on this host: max_payload: a row of", SOON);
  }

  /** Payloads of 32 bytes so many times. */
  private static String rows(int most, int times) {
    int count = (most + PART - 1) / PART;
    return "SELECT 'k', to_json(repeat(md5(n::text), %d)) FROM generate_series(1, %d) n"
        .formatted(times, count);
  }

  private void record(List<String> recorders, String... rows) throws Exception {
    open(new Recording(recorders, "100ms"));
    Host host = cluster.host("host-a", Set.copyOf(recorders), SMALL_HEAP);
    cluster.database().execute(cluster.run("schema").output());
    for (String recorder : recorders) {
      for (String select : rows) {
        cluster.database().execute("INSERT INTO handoff." + recorder + " (key, payload) " + select);
      }
    }

    host.start();

    awaitAllRecorded(host, recorders);
    Product.Outcome verify = cluster.spawn("verify", "-o", "json");
    assertThat(verify.exitCode()).as(verify.output()).isZero();
    assertThat(host.alarms()).isEmpty();
  }

  private void awaitAllRecorded(Host host, List<String> recorders) throws Exception {
    String inserted =
        recorders.stream()
            .map(recorder -> "(SELECT count(*) FROM handoff." + recorder + ")")
            .collect(Collectors.joining(" + "));
    String sql =
        "SELECT "
            + inserted
            + " - (SELECT coalesce(sum(row_count), 0) FROM recorder.slots s"
            + " JOIN recorder.lock_recorders r USING (lock_id) WHERE s.slot <= r.last_slot)";
    while (cluster.database().number(sql) > 0) {
      assertThat(host.isRunning()).as(() -> "running: " + host.log()).isTrue();
      Thread.sleep(200);
    }
  }
}
