package dev.recorder.app.cli.host;

import dev.recorder.app.cli.command.CallingUser;
import dev.recorder.app.cli.command.CommandFailure;
import dev.recorder.app.cli.command.CommandResources;
import dev.recorder.app.cli.command.ExitCode;
import dev.recorder.app.cli.host.ReloadEffects.RecorderReloadEffect;
import dev.recorder.app.config.ConfigFile;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.daemon.ReloadAnswer;
import dev.recorder.operate.diagnosis.Diagnosis;
import dev.recorder.operate.orders.OrderKind;
import dev.recorder.operate.orders.OrderRequest;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * A reload: gives the order to this host's daemon, and waits for the answer. Then observes the
 * effects on each recorder until they are complete or the time is over.
 */
final class ReloadRun implements AutoCloseable {
  private static final Duration CHECKED_AGAIN_WITHIN = Duration.ofSeconds(3);
  private static final Duration POLL = Duration.ofMillis(200);

  private final RecorderConfig config;
  private final CommandResources site;
  private final Ticker ticker = Ticker.system();
  private final Duration patience;

  private ReloadRun(RecorderConfig config, CommandResources site, Duration patience) {
    this.config = config;
    this.site = site;
    this.patience = patience;
  }

  /**
   * Connects to the database.
   *
   * @param patience the limit for the answer, and again for the effects
   */
  static ReloadRun open(RecorderConfig config, Duration patience) throws CommandFailure {
    try {
      return new ReloadRun(config, CommandResources.open(config, patience), patience);
    } catch (DatabaseException e) {
      if (e.kind() == DatabaseErrorKind.UNREACHABLE) {
        throw unreachable(config, e);
      }
      throw e;
    }
  }

  private static CommandFailure unreachable(RecorderConfig config, DatabaseException e) {
    return new CommandFailure(
        ExitCode.UNREACHABLE,
        "nothing was asked of host %s, as orders go through the database: %s; SIGHUP to its process does not need it"
            .formatted(config.machine().name(), e.getMessage()));
  }

  /**
   * The daemon's answer and its effects.
   *
   * @param effects the effects of the changes that were applied; none for a dry run
   */
  record ReloadOutcome(ReloadAnswer answer, List<RecorderReloadEffect> effects) {
    boolean isOver() {
      return effects.stream().allMatch(RecorderReloadEffect::settled);
    }

    boolean isFaulty() {
      return effects.stream().anyMatch(RecorderReloadEffect::faulty);
    }
  }

  /** Compares the file with the settings in effect, and changes nothing. */
  ReloadAnswer dryRun() throws CommandFailure, InterruptedException {
    return ordered(OrderKind.COMPARE);
  }

  /** Reloads the file, and waits for the effects. */
  ReloadOutcome reload() throws CommandFailure, InterruptedException {
    Set<String> activeBefore = ReloadEffects.active(config.machine().name(), look().facts());
    ReloadAnswer answer = ordered(OrderKind.RELOAD);
    try {
      return effects(answer, activeBefore);
    } catch (DatabaseException lost) {
      throw AwaitedOrder.lost(config.machine().name(), lost);
    }
  }

  private ReloadOutcome effects(ReloadAnswer answer, Set<String> activeBefore)
      throws InterruptedException {
    if (!answer.applied()) {
      return new ReloadOutcome(answer, List.of());
    }
    long begun = ticker.nanos();
    ReloadOutcome outcome = look(answer, activeBefore);
    while (ticker.nanos() - begun < longest(outcome).toNanos()) {
      Pause.sleep(POLL);
      outcome = look(answer, activeBefore);
    }
    return outcome;
  }

  /**
   * Returns how long to observe the effects. A recorder that the host refuses is observed a little
   * longer, since the host checks it again.
   */
  private Duration longest(ReloadOutcome outcome) {
    if (!outcome.isOver()) {
      return patience;
    }
    return outcome.isFaulty() ? CHECKED_AGAIN_WITHIN : Duration.ZERO;
  }

  private ReloadOutcome look(ReloadAnswer answer, Set<String> activeBefore) {
    ReloadEffects effects = new ReloadEffects(config.machine().name(), activeBefore, look());
    return new ReloadOutcome(answer, effects.of(answer.recorders()));
  }

  private Diagnosis look() {
    return site.diagnosis(config.timing().takeoverAfter(), 0);
  }

  /** Gives the order and returns the daemon's answer, also for a file with errors. */
  private ReloadAnswer ordered(OrderKind kind) throws CommandFailure, InterruptedException {
    OrderRequest request =
        new OrderRequest(
            kind,
            config.machine().name(),
            "",
            ConfigFile.realPath(config.sourceFile()),
            patience,
            CallingUser.stated());
    AwaitedOrder order = new AwaitedOrder(site.database(), request, ticker);
    return ReloadAnswer.parse(order.carryOut()).orElseThrow(order::notUnderstood);
  }

  @Override
  public void close() {
    site.close();
  }
}
