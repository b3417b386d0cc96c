package dev.recorder.app.bench;

import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.TestProgram;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What a recorder of requests makes of a table that is full, with a handler that does nothing,
 * beside the same work done without it. Arguments: mode, rows, workers.
 *
 * <ul>
 *   <li>{@code single}: creates, 16 workers; beside it a queue written by hand, in JDBC.
 *   <li>{@code grouped}: updates of a hundredth as many entities, 4 workers; beside it a procedure
 *       inside the server.
 *   <li>{@code line}: see {@link LineBenchmark}.
 *   <li>{@code idle}: see {@link IdleBenchmark}.
 * </ul>
 */
public final class RequestsBenchmark {
  private static final int ROUNDS = 5;

  private final String mode;
  private final int rows;
  private final int workers;

  private RequestsBenchmark(String mode, int rows, int workers) {
    this.mode = mode;
    this.rows = rows;
    this.workers = workers;
  }

  public static void main(String[] arguments) {
    String mode = arguments.length > 0 ? arguments[0] : "";
    TestProgram.run("benchmark", () -> Machinery.print(run(mode, Arrays.asList(arguments))));
  }

  private static Map<String, Object> run(String mode, List<String> arguments) throws Exception {
    return switch (mode) {
      case "single" ->
          new RequestsBenchmark(mode, number(arguments, 1, 50_000), number(arguments, 2, 16))
              .compare();
      case "grouped" ->
          new RequestsBenchmark(mode, number(arguments, 1, 1_000_000), number(arguments, 2, 4))
              .compare();
      case "line" -> LineBenchmark.run(number(arguments, 1, 1_000_000));
      case "idle" -> IdleBenchmark.run();
      default -> throw new IllegalArgumentException("single, grouped, line or idle, not " + mode);
    };
  }

  private static int number(List<String> arguments, int place, int otherwise) {
    return arguments.size() > place ? Integer.parseInt(arguments.get(place)) : otherwise;
  }

  /** How long somebody takes for all rows, in seconds. */
  @FunctionalInterface
  private interface Side {
    double work(QueueSite site) throws Exception;
  }

  /** Whoever comes first in a round has the colder caches: each in turn. */
  private Map<String, Object> compare() throws Exception {
    Side marking;
    Side locking;
    if (mode.equals("single")) {
      marking = site -> new BareQueue(true).work(site, workers);
      locking = site -> new BareQueue(false).work(site, workers);
    } else {
      marking = site -> new ServerSideQueue(true).work(site, workers);
      locking = site -> new ServerSideQueue(false).work(site, workers);
    }
    List<Double> product = new ArrayList<>();
    List<Double> marks = new ArrayList<>();
    List<Double> locks = new ArrayList<>();
    try (QueueSite site = QueueSite.open(1, workers)) {
      Host host = site.start("host-a");
      site.makeOther();
      for (int round = 0; round < ROUNDS; round++) {
        product.add(product(site));
        marks.add(other(site, marking));
        locks.add(other(site, locking));
        System.out.printf(
            "round %d: product %.0f rows/s, beside it %.0f, without marking rows %.0f%n",
            round, product.get(round), marks.get(round), locks.get(round));
      }
      host.terminate();
      host.awaitExit(Duration.ofMinutes(1));
    }
    Map<String, Object> line = Machinery.line();
    line.put("mode", mode);
    line.put("rows", rows);
    line.put("workers", workers);
    line.put("rows_per_second", Math.round(median(product)));
    line.put("other_rows_per_second", Math.round(median(marks)));
    line.put("ratio", ratio(product, marks));
    line.put("other_unmarked_rows_per_second", Math.round(median(locks)));
    line.put("ratio_to_unmarked", ratio(product, locks));
    return line;
  }

  private double product(QueueSite site) throws Exception {
    site.fill(QueueSite.TABLE, source());
    return rows / site.awaitSettled();
  }

  private double other(QueueSite site, Side side) throws Exception {
    site.fill(QueueSite.OTHER, source());
    double seconds = side.work(site);
    if (site.number("SELECT count(*) FROM other_side WHERE request_status <> 'complete'") > 0) {
      throw new AssertionError("the other side left rows behind");
    }
    return rows / seconds;
  }

  private String source() {
    boolean single = mode.equals("single");
    return "SELECT '"
        + (single ? "create" : "update")
        + "', 'entity-' || "
        + (single ? "n" : "n % " + Math.max(1, rows / 100))
        + ", json_build_object('n', n, 'text', md5(n::text)) FROM generate_series(1, "
        + rows
        + ") n";
  }

  /** The first round warms up. */
  private static double median(List<Double> rounds) {
    return Machinery.median(rounds.subList(1, rounds.size()));
  }

  /** Of sides that ran one after the other, on a machine that may be busier in other rounds. */
  private static double ratio(List<Double> side, List<Double> other) {
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < side.size(); round++) {
      ratios.add(side.get(round) / other.get(round));
    }
    return Machinery.hundredths(median(ratios));
  }
}
