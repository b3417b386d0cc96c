package dev.recorder.app.daemon;

import dev.recorder.app.config.Batching;
import dev.recorder.app.config.DatabaseConfig;
import dev.recorder.app.config.LingerSetting;
import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.RecorderSection;
import dev.recorder.app.config.RequestWork;
import dev.recorder.app.config.S3Config;
import dev.recorder.app.config.Secret;
import dev.recorder.app.config.TimingConfig;
import dev.recorder.capture.CaptureRule;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.leadership.Failback;
import dev.recorder.leadership.Timing;
import dev.recorder.machine.settings.ElectionKind;
import dev.recorder.machine.settings.MachineSettings;
import dev.recorder.machine.settings.RecorderSettings;
import dev.recorder.operate.site.Limits;
import dev.recorder.postgres.DatabaseSettings;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.requests.EntityQuery;
import dev.recorder.requests.document.DocumentLayout;
import dev.recorder.requests.worker.BackEndSettings;
import dev.recorder.schema.PinnedLayout;
import dev.recorder.slotlog.Compression;
import dev.recorder.slotlog.LingerRule;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.Rotation;
import dev.recorder.store.StoreIdentity;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Says in the core's terms what the configuration says in the operator's. */
public final class ConfiguredMachine {
  private ConfiguredMachine() {}

  public static MachineSettings settings(RecorderConfig config, String version) {
    return settings(config, version, List.of());
  }

  /**
   * The same of a process whose file has been read again.
   *
   * @param awaitsRestart what of the file does not take effect before a restart
   */
  static MachineSettings settings(
      RecorderConfig config, String version, List<String> awaitsRestart) {
    MachineSettings.Builder machine =
        MachineSettings.of(config.machine().name(), database(config))
            .version(version)
            .awaitsRestart(awaitsRestart)
            .hashes(config.configHash(), config.sectionHashes())
            .timing(timing(config.timing()));
    for (RecorderSection recorder : config.recorders()) {
      if (kind(recorder) == RecorderKind.LOG) {
        machine.log(recorder(recorder));
      } else {
        machine.requests(requests(recorder)).documentCaptures(captures(recorder));
      }
    }
    return machine.build();
  }

  /** Where the database is; also for commands that only read. */
  public static DatabaseSettings database(RecorderConfig config) {
    return database(config.database(), config.timing().networkTimeout());
  }

  /** The same of a file that may have nothing else. */
  public static DatabaseSettings database(DatabaseConfig database, Duration networkTimeout) {
    Secret password = database.password();
    return DatabaseSettings.of(database.endpoint(), database.database(), database.user())
        .port(database.port())
        .knownAs(database.knownAs())
        .passwords(() -> password == null ? null : password.current())
        .sslmode(database.sslmode().word())
        .sslrootcert(database.sslrootcert() == null ? null : database.sslrootcert().toString())
        .schemas(new SchemaNames(database.schema(), database.handoffSchema()))
        .networkTimeout(networkTimeout)
        .idleLimit(TimingConfig.IDLE_SESSION_TIMEOUT)
        .build();
  }

  /** What a recorder makes of its hand-off table. */
  public static RecorderKind kind(RecorderSection recorder) {
    return RecorderKind.valueOf(recorder.kind().name());
  }

  /**
   * From when on something is worth a note. A takeover takes a moment more than the silence that
   * causes it.
   */
  public static Limits limits(RecorderConfig config) {
    return new Limits(
        config.machine().waitingLimit(),
        config.timing().takeoverAfter().multipliedBy(2),
        config.machine().hosts());
  }

  /** Where a recorder's log lies. */
  public static LogLayout layout(RecorderSection recorder) {
    S3Config s3 = recorder.s3();
    return new LogLayout(
        endpoint(s3),
        s3.bucket(),
        s3.prefix(),
        new RecorderName(recorder.name()),
        Compression.named(recorder.batching().compression().word()));
  }

  private static Timing timing(TimingConfig timing) {
    return Timing.DEFAULT
        .change()
        .heartbeat(timing.heartbeat())
        .lease(timing.lease())
        .takeoverAfter(timing.takeoverAfter())
        .watch(timing.watch())
        .failbackAfter(timing.failbackAfter())
        .stuckAfter(timing.stuckAfter())
        .build();
  }

  /** Where the documents of a recorder of requests lie. */
  public static DocumentLayout documents(RecorderSection recorder) {
    S3Config s3 = recorder.s3();
    return new DocumentLayout(
        endpoint(s3), s3.bucket(), s3.prefix(), new RecorderName(recorder.name()));
  }

  /** Where a recorder's objects lie, of either kind, as its row in the database says it. */
  public static PinnedLayout pinned(RecorderSection recorder) {
    return kind(recorder) == RecorderKind.LOG
        ? PinnedLayout.of(layout(recorder))
        : BackEndSettings.pinned(documents(recorder));
  }

  /** Where a recorder's objects lie, of either kind, with a slash at the end. */
  public static String folder(RecorderSection recorder) {
    return kind(recorder) == RecorderKind.LOG
        ? layout(recorder).folder()
        : documents(recorder).folder();
  }

  /** The object beside them that says whose they are, as it should be. */
  public static StoreIdentity identity(RecorderSection recorder, UUID id) {
    return kind(recorder) == RecorderKind.LOG
        ? layout(recorder).identity(id)
        : documents(recorder).identity(id);
  }

  private static String endpoint(S3Config s3) {
    return s3.endpoint() == null ? "" : s3.endpoint().toString();
  }

  /** What a recorder of requests makes of entities; empty if no query builds its documents. */
  public static Optional<EntityQuery> query(RecorderSection recorder) {
    return Optional.ofNullable(requests(recorder).entityQuery());
  }

  private static BackEndSettings requests(RecorderSection recorder) {
    RequestWork work = recorder.requests();
    return BackEndSettings.of(
            recorder.lockId(),
            documents(recorder),
            new BackEndSettings.BackEndEffort(
                work.workers(), work.handlerTimeout(), work.maxAttempts()))
        .handler(work.handler() == null ? "" : work.handler())
        .history(recorder.history().kept())
        .maxPayload(recorder.batching().maxPayload().bytes())
        .query(work.query())
        .build();
  }

  private static RecorderSettings recorder(RecorderSection recorder) {
    Batching batching = recorder.batching();
    return RecorderSettings.of(recorder.lockId(), layout(recorder))
        .election(ElectionKind.valueOf(recorder.leading().election().name()))
        .primary(recorder.primary())
        .failback(Failback.valueOf(recorder.leading().failback().name()))
        .rotation(new Rotation(batching.rotateRows(), batching.rotateBytes().bytes()))
        .linger(linger(batching.linger()))
        .maxPayload(batching.maxPayload().bytes())
        .tickEvery(recorder.feed().interval())
        .history(recorder.history().kept())
        .historyBlock(recorder.history().block().bytes())
        .verifyEvery(recorder.verifyEvery())
        .captures(captures(recorder))
        .build();
  }

  /** The tables that a recorder captures as the file says. */
  public static List<CaptureRule> captures(RecorderSection recorder) {
    RecorderName name = new RecorderName(recorder.name());
    return recorder.feed().captures().stream()
        .map(capture -> new CaptureRule(name, capture.table(), capture.options()))
        .toList();
  }

  private static LingerRule linger(LingerSetting linger) {
    Duration fixed = linger.fixed();
    return fixed == null ? LingerRule.AUTO : LingerRule.of(fixed);
  }
}
