package dev.recorder.app.bench;

import dev.recorder.app.harness.Host;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.Sessions;
import dev.recorder.requests.Claim;
import dev.recorder.requests.TestRoom;
import dev.recorder.requests.UnitVerdict;
import dev.recorder.requests.WorkUnit;
import dev.recorder.requests.postgres.RequestSession;
import dev.recorder.testing.servers.TestSettings;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * What the line in the sand saves: the product's own session empties a full table while some
 * transaction of somebody else's holds everything back that could be removed; once with the line,
 * once beginning each claim at 0.
 */
final class LineBenchmark {
  private static final int UNITS = 20_000;

  /** Of the loop without a line, which gets slower and slower. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private LineBenchmark() {}

  static Map<String, Object> run(int rows) throws Exception {
    try (QueueSite site = QueueSite.open(1, 1)) {
      Host host = site.start("host-a");
      host.terminate();
      host.awaitExit(Duration.ofMinutes(1));
      Run with = measure(site, rows, true, UNITS);
      Run without = measure(site, rows, false, UNITS);
      Map<String, Object> line = Machinery.line();
      line.put("mode", "line");
      line.put("rows", rows);
      line.put("units_with_line", with.units);
      line.put("claim_us_with_line", Math.round(with.mean()));
      line.put("last_claims_us_with_line", Math.round(with.last()));
      line.put("units_without", without.units);
      line.put("claim_us_without", Math.round(without.mean()));
      line.put("last_claims_us_without", Math.round(without.last()));
      line.put("factor", Machinery.tenths(without.mean() / with.mean()));
      line.put("last_factor", Machinery.tenths(without.last() / with.last()));
      return line;
    }
  }

  private static Run measure(QueueSite site, int rows, boolean line, int units) throws Exception {
    site.fill(
        QueueSite.TABLE,
        "SELECT 'create', 'entity-' || n, json_build_object('n', n) FROM generate_series(1, "
            + rows
            + ") n");
    try (Connection old = site.connect();
        Statement statement = old.createStatement();
        RequestSession session = session(site)) {
      statement.execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1");
      Run run = new Run();
      long start = System.nanoTime();
      long id = 0;
      while (run.units < units && System.nanoTime() - start < PATIENCE.toNanos()) {
        long asked = System.nanoTime();
        Claim claim = session.claim(UUID.randomUUID(), line ? id : 0, Set.of(), false);
        run.claimed(System.nanoTime() - asked);
        if (!(claim instanceof Claim.Begun begun)) {
          throw new AssertionError("claimed nothing: " + claim);
        }
        WorkUnit unit = session.lock(begun, TestRoom.AMPLE).orElseThrow();
        session.settle(begun, unit, new UnitVerdict.RequestsSettled(unit.ids(), Map.of()));
        id = begun.id();
      }
      System.out.printf(
          "%s the line: %d units, a claim takes %.0f us, at the end %.0f us%n",
          line ? "with" : "without", run.units, run.mean(), run.last());
      return run;
    }
  }

  private static RequestSession session(QueueSite site) {
    return RequestSession.open(
        new Sessions(TestSettings.patient(site.cluster().database()), "line"),
        new RecorderName("q1"),
        QueueSite.LOCK_ID,
        Duration.ofMinutes(1));
  }

  /** Claims so far, in microseconds. */
  private static final class Run {
    private static final int LAST = 500;

    private final double[] latest = new double[LAST];
    private double sum;
    private int units;

    void claimed(long nanos) {
      latest[units++ % LAST] = nanos / 1e3;
      sum += nanos / 1e3;
    }

    double mean() {
      return sum / units;
    }

    /** Of the last {@value #LAST}. */
    double last() {
      double all = 0;
      for (double one : latest) {
        all += one;
      }
      return all / Math.min(units, LAST);
    }
  }
}
