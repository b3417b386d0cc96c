package dev.recorder.app.daemon;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.recorder.app.config.ConfigException;
import dev.recorder.app.config.ConfigFile;
import dev.recorder.app.config.RecorderChange;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.Reload;
import dev.recorder.app.config.ini.Finding;
import dev.recorder.app.logs.AppEvent;
import dev.recorder.app.metrics.Reloads;
import dev.recorder.logging.LogEvent;
import dev.recorder.machine.ReloadHandler;
import dev.recorder.operate.orders.MachineOrder;
import dev.recorder.operate.orders.OrderKind;
import java.util.List;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reloads this process's configuration on SIGHUP or by order. Applies all changes that do not need
 * a restart. A file with an error changes nothing. Thread-safe: reloads run one after the other.
 */
final class Reloading implements ReloadHandler {
  private static final Logger log = LoggerFactory.getLogger(Reloading.class);

  private final BiConsumer<RecorderConfig, List<String>> machine;
  private final Reloads counted;

  @GuardedBy("this")
  private RecorderConfig config;

  /**
   * Reloads a process that runs with {@code config}.
   *
   * @param machine receives the configuration in effect and the changes that need a restart
   */
  Reloading(
      RecorderConfig config, BiConsumer<RecorderConfig, List<String>> machine, Reloads counted) {
    this.config = config;
    this.machine = machine;
    this.counted = counted;
  }

  /** Reloads on SIGHUP, and logs the outcome. */
  synchronized void hangUp() {
    log.info(AppEvent.RELOADING, "SIGHUP: reading {} again", config.sourceFile());
    reload();
  }

  @Override
  public synchronized String carryOut(MachineOrder order) {
    boolean dryRun = order.kind() == OrderKind.COMPARE;
    log.info(
        AppEvent.RELOAD_ORDERED,
        "reload{}: reading {} again, as asked by {}",
        dryRun ? " --dry-run" : "",
        config.sourceFile(),
        order.by(),
        dryRun);
    ReloadAnswer answer =
        order.argument().equals(file()) ? dryRun ? compare() : reload() : otherFile(order);
    return answer.json();
  }

  @Override
  public synchronized String fileTrouble(String recorder) {
    try {
      Reload reload = Reload.of(config, ConfigFile.load(config.sourceFile()));
      if (reload.config().recorder(recorder).isEmpty()) {
        return "%s no longer has it: a reload would take it away".formatted(file());
      }
      return reload.needsRestart().isEmpty()
          ? ""
          : "%s says what this process does not do before a restart: %s"
              .formatted(file(), String.join("; ", reload.needsRestart()));
    } catch (ConfigException bad) {
      return "%s cannot be used, and the process would not start again: %s"
          .formatted(file(), bad.findings().get(0));
    }
  }

  @GuardedBy("this")
  private ReloadAnswer otherFile(MachineOrder order) {
    return refused(
        List.of(
            "%s: error: this process does not read it, it reads %s; help: name that one by -c"
                .formatted(order.argument(), file())));
  }

  @GuardedBy("this")
  private ReloadAnswer compare() {
    try {
      return answer(false, Reload.of(config, ConfigFile.load(config.sourceFile())));
    } catch (ConfigException bad) {
      return refused(bad);
    }
  }

  @GuardedBy("this")
  private ReloadAnswer reload() {
    try {
      Reload reload = Reload.of(config, ConfigFile.load(config.sourceFile()));
      ReloadAnswer answer = answer(true, reload);
      reload
          .config()
          .warnings()
          .forEach(warning -> log.warn(AppEvent.CONFIGURATION_DOUBTFUL, "{}", warning));
      reload
          .needsRestart()
          .forEach(
              what -> log.warn(AppEvent.RESTART_NEEDED, "takes effect after a restart: {}", what));
      List<String> changes = config.changesTo(reload.config());
      config = reload.config();
      machine.accept(config, reload.needsRestart());
      counted.done();
      log.info(
          AppEvent.CONFIGURATION_CHANGED,
          "effective configuration, changes:\n{}",
          changes.isEmpty() ? "nothing" : String.join("\n", changes));
      return answer;
    } catch (ConfigException bad) {
      counted.failed();
      for (Finding finding : bad.findings()) {
        log.error(
            AppEvent.CONFIGURATION_REFUSED, "the changed configuration is not used: {}", finding);
      }
      return refused(bad);
    } catch (RuntimeException bug) {
      counted.failed();
      log.error(LogEvent.BUG, "bug: the changed configuration could not be applied", bug);
      return refused(List.of("bug: it could not be applied, and perhaps a part of it was: " + bug));
    }
  }

  @GuardedBy("this")
  private ReloadAnswer answer(boolean applied, Reload reload) {
    return new ReloadAnswer(
        file(), applied, List.of(), reload.needsRestart(), RecorderChange.all(config, reload));
  }

  @GuardedBy("this")
  private ReloadAnswer refused(ConfigException bad) {
    return refused(bad.findings().stream().map(Finding::toString).toList());
  }

  @GuardedBy("this")
  private ReloadAnswer refused(List<String> errors) {
    return new ReloadAnswer(file(), false, errors, List.of(), List.of());
  }

  @GuardedBy("this")
  private String file() {
    return ConfigFile.realPath(config.sourceFile());
  }
}
