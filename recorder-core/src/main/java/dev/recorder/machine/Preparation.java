package dev.recorder.machine;

import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.RdsManager;
import dev.recorder.postgres.Setup;
import dev.recorder.slotlog.LogIdentity;
import dev.recorder.slotlog.ObjectStore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out whether this machine is able to take a recorder: the store honours conditional writes,
 * and it holds this database's log. Until then the machine stays a standby, however alone it is.
 */
final class Preparation {
  private static final Logger log = LoggerFactory.getLogger(Preparation.class);
  private static final long RETRY_SECONDS = 2;

  private final RecorderSettings settings;
  private final ObjectStore bucket;
  private final Setup.Row row;
  private final RdsManager manager;
  private final Workshop workshop;
  private String lastWhy = "";

  Preparation(
      RecorderSettings settings,
      ObjectStore bucket,
      Setup.Row row,
      RdsManager manager,
      Workshop workshop) {
    this.settings = settings;
    this.bucket = bucket;
    this.row = row;
    this.manager = manager;
    this.workshop = workshop;
  }

  /** Begins; {@code onFinding} is told why the machine is unable, or null once it is able. */
  void start(Consumer<@Nullable String> onFinding) {
    workshop.store().execute(() -> attempt(onFinding));
  }

  private void attempt(Consumer<@Nullable String> onFinding) {
    try (LogContext context = LogContext.of(manager.machine(), settings.name().value(), 0)) {
      String unable = check();
      onFinding.accept(unable);
      if (unable == null) {
        log.info("able to take it: the store keeps its promises and holds this log");
      } else {
        reportOnce(unable);
        var unused =
            workshop.timer().schedule(() -> start(onFinding), RETRY_SECONDS, TimeUnit.SECONDS);
      }
    }
  }

  private void reportOnce(String unable) {
    if (!unable.equals(lastWhy)) {
      lastWhy = unable;
      log.error("not able to take it, checking again every {} s: {}", RETRY_SECONDS, unable);
    }
  }

  private @Nullable String check() {
    String store = workshop.storeTests().verdict(bucket, settings.layout());
    if (!store.isEmpty()) {
      return store;
    }
    LogIdentity.Verdict verdict =
        row.logCreated()
            ? LogIdentity.check(bucket, settings.layout(), row.log())
            : LogIdentity.claim(bucket, settings.layout(), row.log());
    if (verdict.kind() != LogIdentity.Kind.RIGHT) {
      return verdict.why();
    }
    return row.logCreated() ? null : noteCreated();
  }

  private @Nullable String noteCreated() {
    try {
      Setup.logCreated(manager, row.lockId());
      return null;
    } catch (DatabaseException e) {
      return "the log's creation could not be noted: " + e.getMessage();
    }
  }
}
