package dev.recorder.app.bench;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.LogState;
import dev.recorder.app.harness.Observer;
import dev.recorder.app.harness.TestProgram;
import dev.recorder.app.harness.proof.Proof;
import dev.recorder.app.harness.proof.SettleJournal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * How long it takes from a fault of the active host to its successor's first settled slot, while
 * rows come in. Arguments: runs per fault (20), then faults (sigkill sigstop cut).
 *
 * <p>Real processes with the default timing, PostgreSQL with fsync, all on one machine. The hosts
 * take turns; after SIGKILL the next standby is a JVM that has just started.
 */
public final class TakeoverBenchmark implements Pair.Measurement {
  private static final Duration TAKEOVER_AFTER = Duration.ofSeconds(2);
  private static final Duration BETWEEN_RUNS = Duration.ofSeconds(1);
  private static final int HEARTBEAT_MILLIS = 500;

  private final Random random = new Random(1);
  private final Map<TakeoverFault, List<TakeoverRun>> results = new LinkedHashMap<>();
  private final int runs;
  private SettleJournal journal;

  private TakeoverBenchmark(int runs, List<TakeoverFault> faults) {
    this.runs = runs;
    faults.forEach(fault -> results.put(fault, new ArrayList<>()));
  }

  public static void main(String[] arguments) {
    int runs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20;
    List<TakeoverFault> faults =
        arguments.length > 1
            ? Arrays.stream(arguments).skip(1).map(TakeoverFault::named).toList()
            : List.of(TakeoverFault.values());
    TestProgram.run(
        "benchmark", () -> Pair.run(Wiring.BY_PROXIES, new TakeoverBenchmark(runs, faults)));
  }

  @Override
  public void measure(Pair pair) throws Exception {
    journal = SettleJournal.in(pair.cluster().database());
    for (Map.Entry<TakeoverFault, List<TakeoverRun>> fault : results.entrySet()) {
      strike(fault.getKey(), fault.getValue(), List.of(pair.a(), pair.b()), pair.observer());
    }
  }

  private void strike(
      TakeoverFault fault, List<TakeoverRun> done, List<Host> hosts, Observer observer)
      throws Exception {
    while (done.size() < runs) {
      // At any point of the heartbeat.
      Thread.sleep(BETWEEN_RUNS.toMillis() + random.nextInt(HEARTBEAT_MILLIS));
      LogState before = observer.state();
      boolean first = hosts.get(0).name().equals(before.holder());
      Host active = hosts.get(first ? 0 : 1);
      Host standby = hosts.get(first ? 1 : 0);
      TakeoverRun run = TakeoverRun.of(fault, active, standby, observer);
      done.add(run);
      System.out.println(
          String.format(
              Locale.ROOT,
              "%-7s %2d of %d: %5d ms (%s, %s -> %s, silence %d ms, gap %d ms)",
              fault,
              done.size(),
              runs,
              run.millis(),
              run.receipt().reason(),
              run.receipt().from(),
              run.receipt().to(),
              run.receipt().silenceMillis(),
              run.receipt().gapMillis()));
    }
  }

  /** Prints the table and the line for programs; true if nothing was lost, doubled or reordered. */
  @Override
  public boolean report(Pair pair, Proof proof) throws Exception {
    long zombieWrites = zombieWrites(pair.cluster());
    Map<String, Object> line = Machinery.line();
    System.out.println("fault    runs  min ms  median ms  max ms  median and max / takeover_after");
    results.forEach((fault, done) -> line.put(fault.toString(), summary(fault, done)));
    line.put("rows", proof.rows());
    line.put("faulty_rows", proof.faultyRows());
    line.put("zombie_writes", zombieWrites);
    System.out.println(
        String.format(
            Locale.ROOT,
            "%s cores, %s MiB, load average %s; %d rows, proof %s; zombie writes: %d",
            line.get("cores"),
            line.get("memory_mib"),
            line.get("load_average"),
            proof.rows(),
            proof.holds() ? "holds" : "fails: " + proof,
            zombieWrites));
    Machinery.print(line);
    return proof.holds() && zombieWrites == 0;
  }

  private static Map<String, Object> summary(TakeoverFault fault, List<TakeoverRun> done) {
    long[] millis = done.stream().mapToLong(TakeoverRun::millis).sorted().toArray();
    long median = (long) Machinery.median(done.stream().map(TakeoverRun::millis).toList());
    long max = millis[millis.length - 1];
    double bound = TAKEOVER_AFTER.toMillis();
    System.out.println(
        String.format(
            Locale.ROOT,
            "%-7s %5d %7d %10d %7d  %.2f %.2f",
            fault,
            millis.length,
            millis[0],
            median,
            max,
            median / bound,
            max / bound));
    Map<String, Object> summary = new LinkedHashMap<>();
    summary.put("runs", millis.length);
    summary.put("median_ms", median);
    summary.put("max_ms", max);
    return summary;
  }

  /** PUTs that began after the successor was at work, and settles by others than the holder. */
  private long zombieWrites(Cluster cluster) throws Exception {
    long puts =
        results.values().stream()
            .flatMap(List::stream)
            .mapToLong(
                run ->
                    cluster
                        .slotPuts(run.from(), run.receipt().epoch() - 1)
                        .filter(put -> put.nanos() - run.workingNanos() > 0)
                        .count())
            .sum();
    long settles =
        journal.settles().stream()
            .filter(settle -> !settle.machine().equals(settle.holder()))
            .count();
    return puts + settles;
  }
}
