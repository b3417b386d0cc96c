package dev.recorder.app.feature;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Recording;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.ClusterSite;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Observer;
import dev.recorder.app.harness.Particulars;
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

/** Two hosts whose file has a table captured, and whose role owns the database and the table. */
@Timeout(900)
class CapturesAreKeptIT {
  private static final Duration SOON = Duration.ofMinutes(2);

  private ClusterSite site;
  private Cluster cluster;

  @BeforeEach
  void open() throws SQLException {
    Recording recording = new Recording(List.of(Cluster.RECORDER), "100ms");
    site =
        new ClusterSite(
            Wiring.DIRECT, recording.with(Cluster.RECORDER, "capture = public.measure"));
    cluster = site.cluster();
  }

  @AfterEach
  void close() throws Exception {
    site.close();
  }

  @Test
  void whicheverHostIsActiveSetsTheTableUpAndArmsItsNewPartitions() throws Exception {
    Host a = cluster.host("host-a", Set.of(Cluster.RECORDER), Particulars.PATIENT).start();
    Host b = cluster.host("host-b", Set.of(), Particulars.PATIENT);
    a.awaitLog("table public.measure should be captured but is not: there is no table", SOON);
    cluster.database().execute(cluster.run("schema").output()); // The role recorder_capture.
    b.start();

    run(
        "CREATE TABLE public.measure (year int, id int, PRIMARY KEY (year, id))"
            + " PARTITION BY RANGE (year)",
        "CREATE TABLE public.m_2000 PARTITION OF public.measure FOR VALUES FROM (2000) TO (2010)");
    a.awaitLog("table public.measure is captured from now on, as the file says", SOON);
    run("INSERT INTO public.m_2000 VALUES (2000, 1)");

    run("CREATE TABLE public.m_2010 PARTITION OF public.measure FOR VALUES FROM (2010) TO (2020)");
    long made = System.nanoTime();
    await("triggers").until(() -> triggers("m_2010") == 4);
    System.out.println("figure: new partition armed after " + since(made) + " ms");
    run("INSERT INTO public.m_2010 VALUES (2010, 1)");

    try (Observer observer = Observer.ofStory(cluster.database())) {
      a.kill();
      observer.awaitWorking(b, SOON);
    }
    run(
        "CREATE TABLE public.m_2020 PARTITION OF public.measure FOR VALUES FROM (2020) TO (2030)",
        "INSERT INTO public.m_2020 VALUES (2020, 1)");
    b.awaitLog("changes of public.m_2020 may be missing in the log: it had been written to", SOON);
    run("INSERT INTO public.m_2020 VALUES (2021, 1)");

    assertThat(
            cluster
                .database()
                .query(
                    "SELECT payload->'after'->>'year' FROM handoff.orders"
                        + " WHERE payload->>'op' = 'insert' ORDER BY id",
                    row -> row.getString(1)))
        .containsExactly("2000", "2010", "2021");

    run(
        "CREATE TABLE public.more (id int PRIMARY KEY)",
        "ALTER TABLE public.m_2000 DISABLE TRIGGER \"00_recorder_orders_delete\"");
    b.edit("capture = public.measure", "capture = public.measure, public.more").hangUp();
    b.awaitLog("table public.more is captured from now on, as the file says", SOON);
    b.awaitLog(
        "the capture of public.measure misses changes: table public.m_2000 has triggers that are"
            + " disabled",
        SOON);
    await("a note")
        .until(
            () ->
                cluster
                    .run("status")
                    .output()
                    .contains("changes of captured tables have been lost"));
    assertThat(b.log()).noneMatch(line -> line.contains("takes effect after a restart"));
    assertThat(a.log()).noneMatch(line -> line.contains("may be missing"));
    assertThat(b.log()).noneMatch(line -> line.contains("ERROR"));
    cluster.awaitRecorded(cluster.database().number("SELECT count(*) FROM handoff.orders"), SOON);
  }

  private static long since(long nanos) {
    return (System.nanoTime() - nanos) / 1_000_000;
  }

  private long triggers(String table) throws SQLException {
    return cluster
        .database()
        .number(
            "SELECT count(*) FROM pg_trigger WHERE tgname LIKE '00%'"
                + " AND tgrelid = 'public.%s'::regclass".formatted(table));
  }

  /** As the hosts' role, which owns all of it. */
  private void run(String... statements) throws SQLException {
    try (Connection application = cluster.database().connect();
        Statement statement = application.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    }
  }
}
