package dev.recorder.app.daemon;

import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.ConfigFile;
import dev.recorder.app.config.Finding;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.Reload;
import dev.recorder.app.metrics.Reloads;
import dev.recorder.machine.Machine;
import dev.recorder.time.NamedThreads;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a machine in this process until the operating system asks it to end, and reads its
 * configuration again when asked to by SIGHUP.
 *
 * <p>SIGTERM and SIGINT start the JVM's shutdown; a hook then lets the machine settle what is under
 * way and release its recorders, and ends the process with 0: a clean stop is no failure, whatever
 * the JVM would make of the signal.
 */
public final class Daemon {
  private static final Logger log = LoggerFactory.getLogger(Daemon.class);
  private static final long STOP_SECONDS = 9;

  private final String version;
  private RecorderConfig config;

  public Daemon(RecorderConfig config, String version) {
    this.config = config;
    this.version = version;
  }

  /**
   * Runs until stopped. Exceptions are those of {@link Machine#run()}; what nothing handles ends
   * the process.
   */
  public void run() throws InterruptedException {
    try (LastResort lastResort = LastResort.ofThisProcess()) {
      try {
        run(lastResort);
      } catch (Error fatal) {
        lastResort.failed(fatal);
        throw fatal;
      }
    }
  }

  private void run(LastResort lastResort) throws InterruptedException {
    config.warnings().forEach(warning -> log.warn("{}", warning));
    log.info(
        "recorder {} as {} from {}, effective configuration:\n{}",
        version,
        config.machine().name(),
        config.sourceFile(),
        config.effective());
    if (HangUp.isIgnored()) {
      log.warn(
          "SIGHUP is ignored in this process, as nohup does it: a changed file needs a restart");
    }
    try (Stores stores = new Stores(config);
        Keys keys = new Keys(config);
        ExpiredTasks tasks = ExpiredTasks.watched(config)) {
      Machine machine =
          new Machine(ConfiguredMachine.settings(config, version), keys.with(stores), lastResort);
      try (Reporting reporting = Reporting.of(config, version, machine.metrics())) {
        run(machine, stores, reporting);
      }
    }
  }

  private void run(Machine machine, Stores stores, Reporting reporting)
      throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(1);
    Thread hook = new NamedThreads("shutdown").newThread(() -> endCleanly(machine, ended));
    Runtime.getRuntime().addShutdownHook(hook);
    Thread reloads =
        new NamedThreads("reload").newThread(() -> reload(machine, stores, reporting.reloads()));
    reloads.start();
    try {
      machine.run();
    } finally {
      ended.countDown();
      reloads.interrupt();
    }
  }

  private void reload(Machine machine, Stores stores, Reloads reloads) {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        HangUp.await();
        reloadOnce(machine, stores, reloads);
      }
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }

  private void reloadOnce(Machine machine, Stores stores, Reloads reloads) {
    log.info("SIGHUP: reading {} again", config.sourceFile());
    try {
      Reload reload = Reload.of(config, ConfigFile.load(config.sourceFile()));
      reload.config().warnings().forEach(warning -> log.warn("{}", warning));
      reload.needsRestart().forEach(what -> log.warn("takes effect after a restart: {}", what));
      config = reload.config();
      stores.use(config);
      machine.reconfigure(ConfiguredMachine.settings(config, version));
      reloads.done();
      log.info("effective configuration:\n{}", config.effective());
    } catch (ConfigException bad) {
      reloads.failed();
      for (Finding finding : bad.findings()) {
        log.error("the changed configuration is not used: {}", finding);
      }
    } catch (RuntimeException bug) {
      reloads.failed();
      log.error("bug: the changed configuration could not be applied", bug);
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
