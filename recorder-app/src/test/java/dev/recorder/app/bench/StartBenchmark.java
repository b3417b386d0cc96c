package dev.recorder.app.bench;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Product;
import dev.recorder.app.harness.TestProgram;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.S3Server;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What it takes to start the installed program: commands to their end, a host until it is able to
 * take its log, and the memory of a host with one log that has nothing to do. Arguments: runs (10).
 *
 * <p>By the launcher, with its archive of classes; the first run, which makes it, does not count.
 */
public final class StartBenchmark {
  private static final String TIMED = "TIMEFORMAT='%3R %3U %3S'; time \"$@\" >/dev/null 2>&1";
  private static final String ABLE = ": able to take it";
  private static final long UNTIL_IDLE_MILLIS = 60_000;

  private final int runs;
  private final Map<String, String> environment;
  private final String recorder;
  private final String config;

  private StartBenchmark(int runs, Cluster cluster) throws IOException {
    this.runs = runs;
    ProcessBuilder command = cluster.command("status");
    environment = command.environment();
    config = command.command().get(command.command().size() - 1);
    Path installed = cluster.file("installed");
    Path bin = Files.createDirectories(installed.resolve("bin")).resolve("recorder");
    Files.copy(Path.of(System.getProperty("launcher")), bin, StandardCopyOption.COPY_ATTRIBUTES);
    Files.createSymbolicLink(installed.resolve("lib"), Product.lib());
    recorder = bin.toString();
  }

  public static void main(String[] arguments) {
    int runs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10;
    TestProgram.run("benchmark", () -> run(runs));
  }

  private static boolean run(int runs) throws Exception {
    try (PostgresServer postgres = Machinery.start(PostgresServer.builder().durable());
        S3Server s3 = S3Server.start();
        Cluster cluster = Cluster.on(postgres, s3, Wiring.DIRECT, "1s")) {
      var unused = cluster.host("host-a", true);
      Map<String, Object> line = Machinery.line();
      new StartBenchmark(runs, cluster).measure(line);
      return Machinery.print(line);
    }
  }

  private void measure(Map<String, Object> line) throws Exception {
    line.put("runs", runs);
    commands(line, "help", "--help");
    List<Double> seconds = new ArrayList<>();
    for (int run = 0; run <= runs; run++) {
      try (Started host = start()) {
        // The first makes the tables and the bucket's first objects.
        if (run > 0) {
          seconds.add(host.seconds());
        }
        if (run == runs) {
          Thread.sleep(UNTIL_IDLE_MILLIS);
          line.put("idle_mib", ProcessMemory.residentMebibytes(host.process().pid()));
          commands(line, "status", "status", "-c", config);
        }
      }
    }
    line.put("able_s", Machinery.hundredths(Machinery.median(seconds)));
    System.out.printf(
        Locale.ROOT,
        "start of a host until able: median %.2f s of %s; idle %s MiB%n",
        Machinery.median(seconds),
        seconds,
        line.get("idle_mib"));
  }

  /** Wall clock, and the processor's for the program and its launcher. */
  private void commands(Map<String, Object> line, String name, String... words) throws Exception {
    List<Double> wall = new ArrayList<>();
    List<Double> processor = new ArrayList<>();
    List<String> command = new ArrayList<>(List.of("bash", "-c", TIMED, "bash", recorder));
    command.addAll(List.of(words));
    for (int run = 0; run <= runs; run++) {
      Process process = process(command);
      String[] times;
      try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
        times = reader.readLine().split(" ");
      }
      int exitCode = process.waitFor();
      if (exitCode != 0) {
        throw new IllegalStateException(name + " ended with " + exitCode);
      }
      if (run > 0) {
        wall.add(Double.parseDouble(times[0]));
        processor.add(Double.parseDouble(times[1]) + Double.parseDouble(times[2]));
      }
    }
    Map<String, Object> medians = new LinkedHashMap<>();
    medians.put("wall_s", Machinery.hundredths(Machinery.median(wall)));
    medians.put("processor_s", Machinery.hundredths(Machinery.median(processor)));
    line.put(name, medians);
    System.out.printf(
        "%s: median %s s, %s s of processors%n",
        name, medians.get("wall_s"), medians.get("processor_s"));
  }

  /** A host that was able after so many seconds. */
  private record Started(Process process, double seconds) implements AutoCloseable {
    @Override
    public void close() throws InterruptedException {
      process.destroy();
      process.waitFor();
    }
  }

  private Started start() throws IOException {
    long begun = System.nanoTime();
    Process process = process(List.of(recorder, "run", "-c", config));
    List<String> log = new ArrayList<>();
    BufferedReader reader = process.inputReader(StandardCharsets.UTF_8);
    for (String each = reader.readLine(); each != null; each = reader.readLine()) {
      log.add(each);
      if (each.contains(ABLE)) {
        double seconds = (System.nanoTime() - begun) / 1e9;
        Thread rest = new Thread(() -> drain(reader), "rest-of-log");
        rest.setDaemon(true);
        rest.start();
        return new Started(process, seconds);
      }
    }
    throw new IllegalStateException("the host has ended: " + log);
  }

  private static void drain(BufferedReader reader) {
    try (reader) {
      while (reader.readLine() != null) {}
    } catch (IOException e) {
      // The host has ended.
    }
  }

  private Process process(List<String> command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    return builder.start();
  }
}
