package dev.recorder.app.daemon;

import dev.recorder.app.config.RecorderConfig;
import dev.recorder.machine.Machine;
import dev.recorder.time.NamedThreads;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a machine in this process until the operating system asks it to end.
 *
 * <p>SIGTERM and SIGINT start the JVM's shutdown; a hook then lets the machine settle what is under
 * way and release its recorders, and ends the process with 0: a clean stop is no failure, whatever
 * the JVM would make of the signal.
 */
public final class Daemon {
  private static final Logger log = LoggerFactory.getLogger(Daemon.class);
  private static final long STOP_SECONDS = 9;

  private final RecorderConfig config;
  private final String version;

  public Daemon(RecorderConfig config, String version) {
    this.config = config;
    this.version = version;
  }

  /** Runs until stopped. Exceptions are those of {@link Machine#run()}. */
  public void run() throws InterruptedException {
    config.warnings().forEach(warning -> log.warn("{}", warning));
    log.info(
        "recorder {} as {} from {}, effective configuration:\n{}",
        version,
        config.machine().name(),
        config.sourceFile(),
        config.effective());
    CountDownLatch ended = new CountDownLatch(1);
    try (Stores stores = new Stores(config)) {
      Machine machine = new Machine(ConfiguredMachine.settings(config, version), stores);
      Thread hook = new NamedThreads("shutdown").newThread(() -> endCleanly(machine, ended));
      Runtime.getRuntime().addShutdownHook(hook);
      try {
        machine.run();
      } finally {
        ended.countDown();
      }
    }
  }

  private static void endCleanly(Machine machine, CountDownLatch ended) {
    if (ended.getCount() == 0) {
      return; // the machine ended first, and its exit code stands
    }
    machine.stop();
    try {
      if (ended.await(STOP_SECONDS, TimeUnit.SECONDS)) {
        Runtime.getRuntime().halt(0);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
