package dev.recorder.app.bench;

import dev.recorder.app.harness.Host;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What hosts with nothing to do ask of the database: statements and transactions per second, by the
 * server's own count, for one recorder and for several, on one host and on two.
 */
final class IdleBenchmark {
  private static final int RECORDERS = 5;
  private static final int SECONDS = 20;

  private IdleBenchmark() {}

  static Map<String, Object> run() throws Exception {
    Rates one = measure(1, 1);
    Rates many = measure(RECORDERS, 1);
    Rates two = measure(1, 2);
    Map<String, Object> line = Machinery.line();
    line.put("mode", "idle");
    line.put("statements_per_second", Machinery.tenths(one.statements));
    line.put("transactions_per_second", Machinery.tenths(one.transactions));
    line.put(
        "statements_per_further_recorder",
        Machinery.tenths((many.statements - one.statements) / (RECORDERS - 1)));
    line.put("statements_per_further_machine", Machinery.tenths(two.statements - one.statements));
    return line;
  }

  private record Rates(double statements, double transactions) {}

  private static Rates measure(int recorders, int machines) throws Exception {
    try (QueueSite site = QueueSite.open(recorders, 4)) {
      site.execute("CREATE EXTENSION pg_stat_statements");
      List<Host> hosts = new ArrayList<>();
      for (int number = 1; number <= machines; number++) {
        hosts.add(site.start("host-" + number));
      }
      Thread.sleep(10_000); // The pauses have grown to their longest.
      double statements = statements(site);
      double transactions = transactions(site);
      Thread.sleep(SECONDS * 1_000L);
      Rates rates =
          new Rates(
              (statements(site) - statements) / SECONDS,
              (transactions(site) - transactions) / SECONDS);
      System.out.printf(
          "%d recorders on %d hosts: %.1f statements/s, %.1f transactions/s%n",
          recorders, machines, rates.statements, rates.transactions);
      for (Host host : hosts) {
        host.terminate();
        host.awaitExit(Duration.ofMinutes(1));
      }
      return rates;
    }
  }

  private static double statements(QueueSite site) throws SQLException {
    return site.number(
        "SELECT sum(calls) FROM pg_stat_statements WHERE userid = 'recorder'::regrole");
  }

  private static double transactions(QueueSite site) throws SQLException {
    return site.number(
        "SELECT xact_commit + xact_rollback FROM pg_stat_database"
            + " WHERE datname = current_database()");
  }
}
