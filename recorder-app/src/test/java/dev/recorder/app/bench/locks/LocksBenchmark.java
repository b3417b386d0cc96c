package dev.recorder.app.bench.locks;

import dev.recorder.app.bench.Machinery;
import dev.recorder.app.harness.TestProgram;
import dev.recorder.lock.Instruments;
import dev.recorder.lock.Lease;
import dev.recorder.lock.postgres.AdvisoryLocks;
import dev.recorder.testing.ProcessSignal;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The product's locks beside the bare calls that they are made of, among eight contenders beside
 * each other and other libraries, and how soon the loss of a session is known. Arguments: seconds
 * per round, five of them; what is to be left out: {@code pairs}, {@code contenders}, {@code loss}.
 *
 * <p>Other libraries come with the profile {@code rivals}.
 */
public final class LocksBenchmark {
  private static final int ROUNDS = 5;
  private static final long SLICE_NANOS = 50_000_000;
  private static final int CONTENDERS = 8;
  private static final int TERMINATIONS = 40;
  private static final int FREEZES = 8;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final LockServers servers;
  private final double seconds;

  private LocksBenchmark(LockServers servers, double seconds) {
    this.servers = servers;
    this.seconds = seconds;
  }

  public static void main(String[] arguments) {
    TestProgram.run("benchmark", () -> run(Arrays.asList(arguments)));
  }

  private static boolean run(List<String> arguments) throws Exception {
    try (LockServers servers = LockServers.start()) {
      double seconds = arguments.isEmpty() ? 2 : Double.parseDouble(arguments.get(0));
      LocksBenchmark benchmark = new LocksBenchmark(servers, seconds);
      Map<String, Object> line = Machinery.line();
      if (!arguments.contains("pairs")) {
        benchmark.pairs(line);
      }
      if (!arguments.contains("contenders")) {
        benchmark.contenders(line);
      }
      if (!arguments.contains("loss")) {
        benchmark.loss(line);
      }
      return Machinery.print(line);
    }
  }

  private void pairs(Map<String, Object> line) throws Exception {
    line.put("advisory", pair(Ours.advisory(servers), Raw.advisory(servers)));
    line.put("redis", pair(Ours.redis(servers), Raw.redis(servers)));
    line.put("mutex", pair(Ours.mutex(servers), Raw.twoUpdates(servers)));
    line.put("timeout", pair(Ours.timeout(servers), Raw.oneUpdate(servers)));
  }

  /**
   * Both in turn, a slice at a time: a disk or a neighbour that is busy for a second is so for
   * both. Each round has a ratio of its own.
   *
   * <p>Beside it stands the ratio of the fastest tenth of slices. On two processors a call takes 40
   * or 135 us, depending on where the scheduler wakes the other side, for seconds on end and for
   * each connection by itself; what the code takes is seen when it does not.
   */
  private Map<String, Object> pair(Contestant ours, Contestant bare) throws Exception {
    List<Double> rates = new ArrayList<>();
    List<Double> bareRates = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    List<Double> slices = new ArrayList<>();
    List<Double> bareSlices = new ArrayList<>();
    try (ours;
        bare) {
      Contestant.Client one = ours.client();
      Contestant.Client other = bare.client();
      rate(one);
      rate(other);
      for (int round = 0; round < ROUNDS; round++) {
        Tally tally = new Tally();
        Tally bareTally = new Tally();
        while (tally.nanos < seconds * 1e9) {
          slices.add(tally.add(one, SLICE_NANOS));
          bareSlices.add(bareTally.add(other, SLICE_NANOS));
        }
        rates.add(tally.perSecond());
        bareRates.add(bareTally.perSecond());
        ratios.add(tally.perSecond() / bareTally.perSecond());
      }
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("per_second", Math.round(Machinery.median(rates)));
    result.put(
        bare.name().replace(' ', '_') + "_per_second", Math.round(Machinery.median(bareRates)));
    result.put("ratio", Machinery.hundredths(Machinery.median(ratios)));
    result.put("fastest_tenth_ratio", Machinery.hundredths(fastest(slices) / fastest(bareSlices)));
    result.put("ratios", ratios.stream().map(Machinery::hundredths).toList());
    System.out.println(ours.name() + ": " + result);
    return result;
  }

  /** The rate that a tenth of them reaches. */
  private static double fastest(List<Double> rates) {
    return rates.stream().sorted().skip(rates.size() * 9L / 10).findFirst().orElseThrow();
  }

  private double rate(Contestant.Client client) throws Exception {
    return new Tally().add(client, (long) (seconds * 1e9));
  }

  /** Cycles of a client, and the time that they took. */
  private static final class Tally {
    private long cycles;
    private long nanos;

    /** Gives the rate of this slice. */
    double add(Contestant.Client client, long atLeast) throws Exception {
      long start = System.nanoTime();
      long now = start;
      long before = cycles;
      while (now - start < atLeast) {
        client.cycle();
        cycles++;
        now = System.nanoTime();
      }
      nanos += now - start;
      return (cycles - before) * 1e9 / (now - start);
    }

    double perSecond() {
      return cycles * 1e9 / nanos;
    }
  }

  private void contenders(Map<String, Object> line) throws Exception {
    List<Contestant> all =
        new ArrayList<>(List.of(Ours.advisory(servers), Ours.redis(servers), Ours.mutex(servers)));
    all.addAll(rivals());
    Map<String, Object> results = new LinkedHashMap<>();
    for (Contestant contestant : all) {
      Object result = withinPatience(() -> alone(contestant));
      results.put(contestant.name(), result);
      System.out.println(contestant.name() + ": " + result);
    }
    line.put("eight_contenders", results);
  }

  private List<Contestant> rivals() throws Exception {
    try {
      Class<?> others = Class.forName("dev.recorder.app.bench.locks.OtherLibraries");
      return ((Rivals) others.getConstructor().newInstance()).contestants(servers);
    } catch (ClassNotFoundException builtWithout) {
      return List.of();
    }
  }

  private Map<String, Object> alone(Contestant contestant) throws Exception {
    Map<String, Object> alone = new LinkedHashMap<>();
    try (contestant) {
      Contestant.Client single = contestant.client();
      rate(single);
      alone.put("alone_per_second", Math.round(rate(single)));
      alone.putAll(contend(contestant));
    }
    return alone;
  }

  /** A library that does not come to an end must not keep the others' figures back. */
  private static Object withinPatience(Callable<Map<String, Object>> measurement)
      throws InterruptedException {
    FutureTask<Map<String, Object>> task = new FutureTask<>(measurement);
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
    try {
      return task.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException never) {
      for (StackTraceElement frame : thread.getStackTrace()) {
        System.err.println("  still at " + frame);
      }
      return "no result within " + PATIENCE.toSeconds() + " s";
    } catch (ExecutionException failed) {
      return "failed: " + failed.getCause();
    }
  }

  private Map<String, Object> contend(Contestant contestant) throws Exception {
    AtomicLong longest = new AtomicLong();
    AtomicLong cycles = new AtomicLong();
    List<Contestant.Client> clients = new ArrayList<>();
    for (int i = 0; i < CONTENDERS; i++) {
      clients.add(contestant.client());
      clients.get(i).cycle();
    }
    long end = System.nanoTime() + (long) (ROUNDS * seconds * 1e9);
    List<Thread> threads = new ArrayList<>();
    for (Contestant.Client client : clients) {
      threads.add(
          new Thread(
              () -> {
                try {
                  for (long now = System.nanoTime(); now < end; now = System.nanoTime()) {
                    client.cycle();
                    long took = System.nanoTime() - now;
                    longest.accumulateAndGet(took, Math::max);
                    cycles.incrementAndGet();
                  }
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              }));
    }
    for (Thread thread : threads) {
      thread.setDaemon(true);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("per_second", Math.round(cycles.get() / (ROUNDS * seconds)));
    result.put("longest_wait_ms", longest.get() / 1_000_000);
    return result;
  }

  private void loss(Map<String, Object> line) throws Exception {
    line.put("terminated_to_lost_ms", losses(TERMINATIONS, "SELECT pg_terminate_backend(?)"));
    line.put("frozen_to_lost_ms", losses(FREEZES, ""));
  }

  /** By a terminating statement, or else by a signal that freezes the server's process. */
  private Map<String, Object> losses(int times, String statement) throws Exception {
    List<Double> millis = new ArrayList<>();
    try (AdvisoryLocks locks = new AdvisoryLocks(servers.sessions("victim"), Instruments.PLAIN);
        Connection operator = servers.database().connect()) {
      for (int i = 0; i < times; i++) {
        Lease lease = locks.lock("lost-" + i).tryAcquire().orElseThrow();
        CompletableFuture<Long> lost = new CompletableFuture<>();
        lease.lost().thenAccept(loss -> lost.complete(System.nanoTime()));
        int pid = pid(operator);
        Thread.sleep(100 + 37L * i % 250);
        long start = System.nanoTime();
        if (statement.isEmpty()) {
          ProcessSignal.send("STOP", pid);
        } else {
          try (PreparedStatement terminate = operator.prepareStatement(statement)) {
            terminate.setInt(1, pid);
            terminate.execute();
          }
        }
        millis.add((lost.get(30, TimeUnit.SECONDS) - start) / 1e6);
        if (statement.isEmpty()) {
          ProcessSignal.send("CONT", pid);
        }
      }
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("median", Machinery.tenths(Machinery.median(millis)));
    result.put("max", Machinery.tenths(Collections.max(millis)));
    return result;
  }

  private static int pid(Connection operator) throws Exception {
    return TestDatabase.query(
            operator,
            "SELECT pid FROM pg_stat_activity WHERE application_name = 'recorder/victim/lock'"
                + " ORDER BY backend_start DESC LIMIT 1",
            row -> row.getInt(1))
        .get(0);
  }
}
