package dev.recorder.app.bench;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Observer;
import dev.recorder.app.harness.Product;
import dev.recorder.app.harness.TestProgram;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.S3Server;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What producers notice of a recorder: rows of 200 bytes into the hand-off table, with a host that
 * records them at once, against a plain table with the same columns and one index; in turns, and
 * ratios of neighbours. Then the same while somebody holds a transaction open. Clients, servers and
 * host share the computer. Arguments: rounds (6), seconds (5), clients that insert single rows
 * (64), clients that copy (4).
 */
public final class ProducersBenchmark {
  private static final Duration DEADLINE = Duration.ofMinutes(5);
  private static final String PLAIN = "bench.plain";
  private static final String OURS = "handoff." + Cluster.RECORDER;

  private final int rounds;
  private final Duration time;
  private final int clients;
  private final int copiers;

  private ProducersBenchmark(String[] arguments) {
    this.rounds = argument(arguments, 0, 6);
    this.time = Duration.ofSeconds(argument(arguments, 1, 5));
    this.clients = argument(arguments, 2, 64);
    this.copiers = argument(arguments, 3, 4);
  }

  public static void main(String[] arguments) {
    TestProgram.run("benchmark", new ProducersBenchmark(arguments)::run);
  }

  private static int argument(String[] arguments, int place, int usual) {
    return arguments.length > place ? Integer.parseInt(arguments[place]) : usual;
  }

  private boolean run() throws Exception {
    try (PostgresServer postgres = Machinery.start(PostgresServer.builder().durable());
        S3Server s3 = S3Server.start();
        Cluster cluster = Cluster.on(postgres, s3, Wiring.DIRECT, "1s");
        Observer observer = new Observer(cluster.database())) {
      Host host = cluster.host("host-a", true).start();
      observer.await("host-a active", DEADLINE, state -> host.name().equals(state.holder()));
      TestDatabase database = cluster.database();
      database.execute(
          "CREATE SCHEMA bench",
          "CREATE TABLE bench.plain (id bigint GENERATED ALWAYS AS IDENTITY, xid xid8 NOT NULL"
              + " DEFAULT pg_current_xact_id(), time timestamptz NOT NULL DEFAULT now(), key text,"
              + " payload json NOT NULL)",
          "CREATE INDEX ON bench.plain (xid, id)",
          "ALTER TABLE bench.plain SET (autovacuum_enabled = off)",
          "GRANT ALL ON SCHEMA bench TO PUBLIC",
          "GRANT ALL ON bench.plain TO PUBLIC");
      Map<String, Object> line = Machinery.line();
      try (Producing single = new Producing(database, Producing.Kind.SINGLE, clients)) {
        measure(line, "single", single);
        held(line, "single", single, database);
      }
      try (Producing copy = new Producing(database, Producing.Kind.COPY, copiers)) {
        measure(line, "copy", copy);
      }
      host.terminate();
      host.awaitExit(DEADLINE);
      Product.Outcome verify = cluster.spawn("verify", "-o", "json");
      line.put("verify_ok", verify.exitCode() == 0);
      return Machinery.print(line) && verify.exitCode() == 0;
    }
  }

  /** In turns, each first as often as the other; the median of the ratios of neighbours. */
  private void measure(Map<String, Object> line, String name, Producing producing)
      throws Exception {
    producing.into(PLAIN, time);
    producing.into(OURS, time);
    List<Double> ratios = new ArrayList<>();
    List<Double> rates = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      boolean plainFirst = round % 2 == 0;
      double first = producing.into(plainFirst ? PLAIN : OURS, time);
      double second = producing.into(plainFirst ? OURS : PLAIN, time);
      double ours = plainFirst ? second : first;
      double plain = plainFirst ? first : second;
      rates.add(ours);
      ratios.add(ours / plain);
      System.out.println(
          String.format(
              Locale.ROOT, "%s: %.0f rows/s, %.0f into a plain table", name, ours, plain));
    }
    line.put(name + "_rows_per_second", Math.round(Machinery.median(rates)));
    line.put(name + "_ratio", Machinery.hundredths(Machinery.median(ratios)));
  }

  /** Ours with a transaction of somebody else's open, against ours without one. */
  private void held(
      Map<String, Object> line, String name, Producing producing, TestDatabase database)
      throws Exception {
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      double free = producing.into(OURS, time);
      try (Connection other = database.connect();
          Statement statement = other.createStatement()) {
        other.setAutoCommit(false);
        statement.execute("SELECT pg_current_xact_id()");
        ratios.add(producing.into(OURS, time) / free);
      }
    }
    line.put(name + "_held_ratio", Machinery.hundredths(Machinery.median(ratios)));
  }
}
