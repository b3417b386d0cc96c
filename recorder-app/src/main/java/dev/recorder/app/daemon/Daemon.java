package dev.recorder.app.daemon;

import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.logs.AppEvent;
import dev.recorder.app.logs.LogOutput;
import dev.recorder.machine.Machine;
import dev.recorder.time.NamedThreadFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a {@link Machine} in this process until the operating system asks the process to end.
 * Reloads the configuration on SIGHUP, or on an order through the database.
 *
 * <p>SIGTERM and SIGINT start the JVM's shutdown. A hook lets the machine settle the slots that are
 * under way and release its recorders. Then it ends the process with 0, whatever exit code the JVM
 * would use for the signal, since a clean stop is not a failure.
 */
public final class Daemon {
  private static final Logger log = LoggerFactory.getLogger(Daemon.class);
  private static final long STOP_SECONDS = 9;

  private final String version;
  private final RecorderConfig config;

  public Daemon(RecorderConfig config, String version) {
    this.config = config;
    this.version = version;
  }

  /**
   * Runs until the process is asked to end. Throws the exceptions of {@link Machine#run()}. An
   * {@link Error} ends the process.
   */
  public void run() throws InterruptedException {
    try (UncaughtErrorHandler lastResort = UncaughtErrorHandler.ofThisProcess()) {
      try {
        run(lastResort);
      } catch (Error fatal) {
        lastResort.failed(fatal);
        throw fatal;
      }
    }
  }

  private void run(UncaughtErrorHandler lastResort) throws InterruptedException {
    LogOutput logs = LogOutput.ofThisProcess();
    logs.use(config);
    config.warnings().forEach(warning -> log.warn(AppEvent.CONFIGURATION_DOUBTFUL, "{}", warning));
    log.info(
        AppEvent.STARTING,
        "recorder {} as {} from {}, effective configuration:\n{}",
        version,
        config.machine().name(),
        config.sourceFile(),
        config.effective());
    if (SighupRequests.isIgnored()) {
      log.warn(
          AppEvent.SIGHUP_IGNORED,
          "SIGHUP is ignored in this process, as under nohup: a changed file needs a restart");
    }
    try (Stores stores = new Stores(config);
        ElectionLocks keys = new ElectionLocks(config);
        ExpiredTasks tasks = ExpiredTasks.watched(config)) {
      stores.openAhead();
      Machine machine =
          new Machine(ConfiguredMachine.settings(config, version), keys.with(stores), lastResort);
      try (Reporting reporting =
              Reporting.of(config, version, machine.metrics(), ServiceManager.isThere());
          ServiceManager manager =
              ServiceManager.ofThisProcess(machine.metrics(), reporting::gravestNote)) {
        Reloading reloading =
            new Reloading(
                config,
                (changed, awaitsRestart) -> {
                  stores.use(changed);
                  machine.reconfigure(ConfiguredMachine.settings(changed, version, awaitsRestart));
                  logs.use(changed);
                },
                reporting.reloads());
        machine.reloadBy(reloading);
        run(machine, reloading, manager);
      }
    }
  }

  private static void run(Machine machine, Reloading reloading, ServiceManager manager)
      throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(1);
    Thread hook =
        new NamedThreadFactory("shutdown").newThread(() -> endCleanly(machine, manager, ended));
    Runtime.getRuntime().addShutdownHook(hook);
    Thread reloads =
        new NamedThreadFactory("reload").newThread(() -> reload(reloading, manager, ended));
    reloads.start();
    try {
      machine.run();
    } finally {
      ended.countDown();
      reloads.interrupt();
    }
  }

  private static void reload(Reloading reloading, ServiceManager manager, CountDownLatch ended) {
    while (ended.getCount() > 0) {
      try {
        SighupRequests.await();
        manager.reloads(reloading::hangUp);
      } catch (InterruptedException perhapsTheEnd) {
        // The loop condition decides: this is the end, or a late interrupt from an S3 client.
      }
    }
  }

  private static void endCleanly(Machine machine, ServiceManager manager, CountDownLatch ended) {
    if (ended.getCount() == 0) {
      return; // The machine ended first: its exit code stands.
    }
    machine.stop();
    manager.stopping();
    try {
      if (ended.await(STOP_SECONDS, TimeUnit.SECONDS)) {
        Runtime.getRuntime().halt(0);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
