package dev.recorder.app.feature.faults;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.app.feature.Story;
import dev.recorder.app.feature.faults.Channel.Asked;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.HttpSite;
import dev.recorder.app.harness.Product;
import dev.recorder.app.harness.RecordedSeries;
import dev.recorder.app.harness.Stalls;
import dev.recorder.testing.Patience;
import dev.recorder.testing.network.Fault;
import dev.recorder.testing.network.HttpTap;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Ten faults, one after the other, on the same two hosts: what {@code status}, {@code explain}, the
 * page and the metrics say of each is what the table in {@code docs/faults.md} promises, in time,
 * and its alerts fire in time on what the hosts export.
 */
@Timeout(1800)
class NamedFaultsIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ORDERS = "/recorders/" + Cluster.RECORDER;
  private static final int FAULTS = 10;

  /** Two minutes, one more for which the alert waits, and two scrapes. */
  private static final Duration ROWS_WAIT = Duration.ofSeconds(210);

  @RegisterExtension private final Story story = new Story();
  private final RecordedSeries series = RecordedSeries.ofLongStages("ten_faults");
  private final Stalls stalls = Stalls.start();
  private final RecordedSeries waiting = new RecordedSeries("rows_wait");
  private HttpSite a;
  private HttpSite b;

  @Test
  void eachIsNamedWhereverAnOperatorLooks() throws Exception {
    a = HttpSite.in(story.cluster(), "host-a", true);
    b = HttpSite.in(story.cluster(), "host-b", false);
    a.host().edit("name = host-a", "name = host-a\nwaiting_limit = 4s");
    // One way to the database for both, so that their files do not differ.
    b.host().edit(port(b), port(a));
    story.begin(a.host(), b.host());
    awaitCalm();
    awaitLooks(a, b);
    series.calm(pages(a, b));
    waiting.calm(pages(a, b));
    s3Hangs();
    bothPrimaries();
    rightRevoked();
    filesDiffer();
    tableLocked();
    longTransaction();
    diskFull();
    clockOff();
    awaitLooks(a, b);
    series.calm(pages(a, b));
    hostFrozen();
    wrongBucket();
    story.endAfter(FAULTS);
    series.check();
    waiting.check();
  }

  @AfterEach
  void noMoreIsMeasured() {
    stalls.close();
  }

  private static String port(HttpSite site) {
    return "port = " + site.host().database().port();
  }

  /** For both hosts: else the other one would take it over. */
  private void s3Hangs() throws Exception {
    NamedFault fault = begun("S3 hangs", a, b);
    story.tap().onRequest(request -> isPut(request) ? Fault.hold() : Fault.none());

    fault.awaitNamed();
    record(fault, a, b);
    waiting.firesWhenItGoesOn(pages(a, b), ROWS_WAIT, "RecorderRowsWait");
    awaitNote("old_rows", null, "the oldest row or request has waited for");
    Product.Outcome check = run("status", "--check");
    assertThat(check.exitCode()).isEqualTo(2);
    assertThat(check.output())
        .startsWith("RECORDER CRITICAL - orders on host-a: it has been stuck for ")
        .contains(" | hosts_alive=2;;;0 orders_waiting=");
    assertThat(run("explain", "orders").output())
        .startsWith("host-a should record orders, but makes no progress\n")
        .contains("critical: orders on host-a: it has been stuck for ");
    // Whether the other host could do better is being checked, or was.
    await()
        .untilAsserted(
            () ->
                assertThat(run("explain", "orders", "--host", "host-b").output())
                    .startsWith("host-b does not record orders: it is not able to: ")
                    .doesNotContain("its log has the reason"));
    story.tap().release();
    awaitProgressBeforeThePeerIsAble();
  }

  private void bothPrimaries() throws Exception {
    NamedFault fault = begun("both primaries", a, b);
    b.host().edit("primary = false", "primary = true").hangUp();

    fault.awaitNamed();
    record(fault, a, b);
    story.awaitNextSlot();
    b.host().edit("primary = true", "primary = false").hangUp();
    awaitCalm();
  }

  private void rightRevoked() throws Exception {
    NamedFault fault = begun("right revoked", a, b);
    story.cluster().database().execute("REVOKE INSERT ON recorder.slots FROM recorder");

    fault.awaitNamed();
    record(fault, a, b);
    story.cluster().database().execute("GRANT INSERT ON recorder.slots TO recorder");
    awaitCalm();
  }

  private void filesDiffer() throws Exception {
    NamedFault fault = begun("files differ", a, b);
    b.host().edit("linger = 300ms", "linger = 300ms\nfailback = manual").hangUp();

    fault.awaitNamed();
    record(fault, a, b);
    b.host().edit("linger = 300ms\nfailback = manual", "linger = 300ms").hangUp();
    awaitCalm();
  }

  private void tableLocked() throws Exception {
    NamedFault fault = begun("table locked", a, b);
    try (Connection stranger = story.cluster().database().connect();
        Statement statement = stranger.createStatement()) {
      stranger.setAutoCommit(false);
      statement.execute("LOCK TABLE handoff.orders IN ACCESS EXCLUSIVE MODE");

      fault.awaitNamed();
      record(fault, a, b);
      awaitNote("held_up", "host-a", "database session " + pid(statement));
      stranger.rollback();
    }
    awaitCalm();
  }

  /** Of eleven minutes, as far as the server says so in this database. */
  private void longTransaction() throws Exception {
    NamedFault fault = begun("long transaction", a, b);
    try (Connection stranger = story.cluster().database().connect();
        Statement statement = stranger.createStatement()) {
      stranger.setAutoCommit(false);
      stranger.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      int pid = pid(statement);
      fault.begins(pages(a, b));
      age(pid);

      fault.awaitNamed();
      record(fault, a, b);
      awaitNote("xmin_held", null, " by database session " + pid + " (");
      stranger.rollback();
    }
    awaitCalm();
  }

  private void age(int pid) throws SQLException {
    String view =
        story
            .cluster()
            .database()
            .one("SELECT pg_get_viewdef('pg_catalog.pg_stat_activity'::regclass)");
    String started =
        "s.xact_start - CASE WHEN s.pid = %d THEN interval '11 min' ELSE '0' END AS xact_start"
            .formatted(pid);
    assertThat(view).contains("s.xact_start,");
    story
        .cluster()
        .database()
        .execute(
            "SET allow_system_table_mods = on",
            "CREATE OR REPLACE VIEW pg_catalog.pg_stat_activity AS "
                + view.replace("s.xact_start,", started + ","),
            "RESET allow_system_table_mods");
  }

  /** The database's; it says so in a trigger here. */
  private void diskFull() throws Exception {
    NamedFault fault = begun("disk full", a, b);
    story
        .cluster()
        .database()
        .execute(
            """
            CREATE FUNCTION public.disk_full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
              RAISE EXCEPTION USING ERRCODE = 'disk_full', HINT = 'Check free disk space.',
                MESSAGE = 'could not extend file "base/5/1259": No space left on device';
            END $$""",
            "CREATE TRIGGER disk_full BEFORE INSERT ON recorder.slots FOR EACH ROW"
                + " EXECUTE FUNCTION public.disk_full()");

    fault.awaitNamed();
    record(fault, a, b);
    story.cluster().database().execute("DROP FUNCTION public.disk_full() CASCADE");
    awaitCalm();
  }

  /** Of both hosts, as S3 says it. */
  private void clockOff() throws Exception {
    NamedFault fault = begun("clock off by an hour", a, b);
    story
        .tap()
        .onRequest(
            request -> isPut(request) ? Fault.answer(403, "RequestTimeTooSkewed") : Fault.none());

    fault.awaitNamed();
    record(fault, a, b);
    awaitProgressBeforeThePeerIsAble();
  }

  private void hostFrozen() throws Exception {
    NamedFault fault = new NamedFault("host frozen", story, stalls, asked(a, b, b));
    fault.begins(pages(a, b));
    a.host().freeze();
    await().until(() -> b.status(ORDERS) == 200);

    fault.awaitNamed();
    record(fault, b);

    a.host().thaw();
    assertThat(a.status(ORDERS)).isEqualTo(503);
    await().until(() -> a.status("/readyz") == 200);
    assertThat(a.status(ORDERS)).isEqualTo(503);
  }

  /** Of a host that comes again; the other one has been at work for a while, as it would have. */
  private void wrongBucket() throws Exception {
    b.host().terminate();
    b.host().awaitExit(Patience.A_MINUTE);
    await().until(() -> a.status(ORDERS) == 200);
    String bucket = "bucket = " + story.cluster().bucketName();
    b.host().edit(bucket, "bucket = elsewhere").edit("prefix = recorded", "prefix = elsewhere");
    NamedFault fault = new NamedFault("wrong bucket", story, stalls, asked(b, a, a));
    Map<String, String> before = pages(a);
    CountDownLatch registered = new CountDownLatch(1);
    b.host()
        .onLog(
            line -> {
              if (line.contains("registered as host-b")) {
                registered.countDown();
              }
            })
        .start();
    registered.await();
    fault.begins(before);

    fault.awaitNamed();
    record(fault, a, b);
    awaitNote("refused", "host-b", "\"prefix\":\"elsewhere\"");
    awaitNote("files_differ", null, "[recorder:orders] bucket, prefix: host-a, other than host-b");
    assertThat(run("status", "--check").exitCode()).isEqualTo(1);
    assertThat(run("explain", "orders", "--host", "host-b").output())
        .startsWith("host-b does not record orders: it is refused there: ")
        .contains("; host-a does\n", "-> correct what it names");
    story.awaitNextSlot();
    b.host().terminate();
    b.host().awaitExit(Patience.A_MINUTE);
    b.host().edit("bucket = elsewhere", bucket).edit("prefix = elsewhere", "prefix = recorded");
  }

  // ---- what befalls them, and how it ends

  private NamedFault begun(String name, HttpSite host, HttpSite other) throws Exception {
    NamedFault fault = new NamedFault(name, story, stalls, asked(host, other, host, other));
    fault.begins(pages(host, other));
    return fault;
  }

  private Asked asked(HttpSite host, HttpSite page, HttpSite... exporters) throws Exception {
    List<HttpSite> all = List.of(exporters);
    return new Asked(story.cluster(), host, page, all, Channel.figures(all));
  }

  private void record(NamedFault fault, HttpSite... alive) throws Exception {
    awaitLooks(alive);
    series.firesInTime(fault.onset(), pages(alive), fault.alerts());
  }

  /** Until each of these hosts has looked at the database since this was called. */
  private static void awaitLooks(HttpSite... hosts) {
    long begun = System.nanoTime();
    for (HttpSite host : hosts) {
      await("a look of " + host.host().name())
          .atMost(NamedFault.LOOKED_WITHIN)
          .until(
              () -> {
                Double age = Channel.figures(List.of(host)).get("recorder_sample_age_seconds");
                return age != null && age < (System.nanoTime() - begun) / 1e9;
              });
    }
  }

  private static boolean isPut(HttpTap.Request request) {
    return request.method().equals("PUT");
  }

  /** A peer that is able while the active host is stuck would get the recorder. */
  private void awaitProgressBeforeThePeerIsAble() throws Exception {
    story
        .tap()
        .onRequest(
            request ->
                isPut(request) && !Cluster.isSlotPut(request, a.host())
                    ? Fault.answer(503, "SlowDown")
                    : Fault.none());
    story.awaitNextSlot();
    await().until(() -> notes().stream().noneMatch(note -> isOf(note, "stuck", "host-a", "")));
    story.tap().noFaults();
    awaitCalm();
  }

  private static int pid(Statement statement) throws SQLException {
    ResultSet row = statement.executeQuery("SELECT pg_backend_pid()");
    row.next();
    return row.getInt(1);
  }

  // ---- what is asked

  private Product.Outcome run(String... words) {
    return story.cluster().run(words);
  }

  private List<JsonNode> notes() throws Exception {
    return List.copyOf(
        JSON.readTree(run("status", "-o", "json").output()).withArray("notes").findParents("kind"));
  }

  private void awaitNote(String kind, String host, String part) {
    await().until(() -> notes().stream().anyMatch(note -> isOf(note, kind, host, part)));
  }

  private static boolean isOf(JsonNode note, String kind, String host, String part) {
    return note.get("kind").textValue().equals(kind)
        && (host == null || host.equals(note.get("host").textValue()))
        && note.get("sentence").textValue().contains(part);
  }

  /** Nothing should be looked at on either host; rows that were held up may come a little later. */
  private void awaitCalm() {
    await()
        .until(
            () -> {
              JsonNode status = JSON.readTree(run("status", "-o", "json").output());
              return status.get("standings").size() == 2
                  && status.get("notes").findValuesAsText("severity").stream()
                      .allMatch("notice"::equals)
                  && run("status", "--check").exitCode() == 0;
            });
  }

  private static Map<String, String> pages(HttpSite... alive) throws Exception {
    Map<String, String> pages = new HashMap<>();
    for (HttpSite site : alive) {
      pages.put(site.host().name(), site.get("/metrics").body());
    }
    return pages;
  }
}
