package dev.recorder.machine.term;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.machine.settings.RecorderSettings;
import dev.recorder.machine.shared.SharedResources;
import dev.recorder.operate.orders.HostAnswer.TermCheck;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.RdsManager;
import dev.recorder.s3.StoreCheck;
import dev.recorder.schema.HandoffUse;
import dev.recorder.schema.JdbcStoreViolations;
import dev.recorder.schema.MissingRight;
import dev.recorder.schema.ServerQueries;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks again, on this host, all that a term of a recorder needs, regardless of earlier results.
 * It changes no state except the known lost races of a store. It tests the store as a start does,
 * reads the rows of the next slot, and writes with an epoch that never exists. For a thread that
 * may wait.
 */
public final class SwitchoverCheck {
  /**
   * How long the read may wait, as the data session may be reading a large slot of another
   * recorder.
   */
  private static final Duration READ_WITHIN = Duration.ofSeconds(60);

  private final RecorderWorker worker;
  private final @Nullable UUID log;
  private final String unable;
  private final RdsManager manager;
  private final SharedResources resources;

  /**
   * Creates a check that has not run yet.
   *
   * @param log the log that the recorder's row names; null if the recorder was refused
   * @param unable why the host is unable to take the recorder; empty if it is able
   */
  public SwitchoverCheck(
      RecorderWorker worker,
      @Nullable UUID log,
      String unable,
      RdsManager manager,
      SharedResources resources) {
    this.worker = worker;
    this.log = log;
    this.unable = unable;
    this.manager = manager;
    this.resources = resources;
  }

  /**
   * Runs the checks, one after the other.
   *
   * @param file gives the trouble with the configuration file of a recorder
   */
  public List<TermCheck> run(UnaryOperator<String> file) throws InterruptedException {
    List<TermCheck> checks = new ArrayList<>();
    checks.add(new TermCheck("file", file.apply(worker.settings().name().value())));
    checks.add(new TermCheck("able", unable));
    checks.add(new TermCheck("rights", rights()));
    UUID known = log;
    if (known != null) {
      checks.add(new TermCheck("store", store(known)));
      checks.add(new TermCheck("read", read(known)));
    }
    return checks;
  }

  private String rights() {
    RecorderSettings settings = worker.settings();
    HandoffUse use =
        new HandoffUse(
            settings.name(),
            RecorderKind.LOG,
            settings.tickEvery() != null,
            settings.history() != null);
    try {
      List<MissingRight> missing =
          manager.call(c -> new ServerQueries(manager.schemas()).missingRights(c, List.of(use)));
      return missing.stream().map(MissingRight::toString).collect(Collectors.joining(", "));
    } catch (DatabaseException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /**
   * Tests the store anew, since a store that passed earlier may have changed. A lost race counts
   * whichever host saw it, and a race that is lost now counts for all hosts.
   */
  private String store(UUID known) {
    RecorderSettings settings = worker.settings();
    String obstacle = settings.layout().compression().obstacle();
    if (!obstacle.isEmpty()) {
      return obstacle;
    }
    return new StoreCheck(
            worker.bucket(),
            () ->
                resources
                    .probes()
                    .verdictAnew(
                        worker.bucket(),
                        settings.layout().folder(),
                        JdbcStoreViolations.of(manager, settings.layout().place())),
            settings.layout().identity(known),
            () -> "")
        .trouble(true);
  }

  private String read(UUID known) throws InterruptedException {
    CompletableFuture<String> trouble = new CompletableFuture<>();
    Runnable look =
        () -> {
          try {
            trouble.complete(worker.preflight(known));
          } catch (RuntimeException bug) {
            trouble.complete("internal error: " + bug);
          }
        };
    if (!resources.schedule().hand(worker.session(), look)) {
      return "this process is stopping";
    }
    try {
      return trouble.get(READ_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      return "the data session has not come to it within %d s".formatted(READ_WITHIN.toSeconds());
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
