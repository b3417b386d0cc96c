package dev.recorder.app.daemon;

import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.connection.DatabaseConfig;
import dev.recorder.app.config.connection.S3Config;
import dev.recorder.app.config.host.MachineConfig;
import dev.recorder.app.config.host.TimingConfig;
import dev.recorder.app.config.recorder.RecorderSection;
import dev.recorder.app.config.recorder.RecorderSectionKeys;
import dev.recorder.app.config.value.LingerSetting;
import dev.recorder.app.config.value.Secret;
import dev.recorder.app.config.value.TablePartitionWord;
import dev.recorder.capture.CaptureRule;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.leadership.Timing;
import dev.recorder.machine.settings.MachineSettings;
import dev.recorder.machine.settings.RecorderSettings;
import dev.recorder.operate.site.Limits;
import dev.recorder.postgres.DatabaseSettings;
import dev.recorder.postgres.Passwords;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.requests.EntityQuery;
import dev.recorder.requests.document.DocumentLayout;
import dev.recorder.requests.worker.BackEndSettings;
import dev.recorder.schema.PinnedLayout;
import dev.recorder.slotlog.LingerRule;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.Rotation;
import dev.recorder.store.StoreIdentity;
import dev.recorder.table.TableColumns;
import dev.recorder.table.TableSettings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Translates the configuration into the settings of the library. */
public final class ConfiguredMachine {
  private ConfiguredMachine() {}

  public static MachineSettings settings(RecorderConfig config, String version) {
    return settings(config, version, List.of());
  }

  /**
   * Translates a configuration after a reload.
   *
   * @param awaitsRestart the changes in the file that take effect only after a restart, a sentence
   *     each
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
      if (recorder.kind() == RecorderKind.LOG) {
        machine.log(recorder(recorder));
      } else {
        machine.requests(requests(recorder)).documentCaptures(captures(recorder));
      }
    }
    return machine.build();
  }

  /** Returns the settings of the database. Commands that only read use them too. */
  public static DatabaseSettings database(RecorderConfig config) {
    return database(config.database(), config.timing().get(TimingConfig.NETWORK_TIMEOUT));
  }

  /** Returns the settings of the database for a file without recorders. */
  public static DatabaseSettings database(DatabaseConfig database, Duration networkTimeout) {
    Path certificate = database.orNull(DatabaseConfig.SSLROOTCERT);
    return DatabaseSettings.of(
            database.get(DatabaseConfig.ENDPOINT),
            database.get(DatabaseConfig.DATABASE),
            database.get(DatabaseConfig.USER))
        .port(database.get(DatabaseConfig.PORT))
        .knownAs(database.orNull(DatabaseConfig.KNOWN_AS))
        .passwords(passwords(database))
        .sslmode(database.get(DatabaseConfig.SSLMODE).toString())
        .sslrootcert(certificate == null ? null : certificate.toString())
        .schemas(new SchemaNames(database.schema(), database.get(DatabaseConfig.HANDOFF_SCHEMA)))
        .networkTimeout(networkTimeout)
        .idleLimit(TimingConfig.IDLE_SESSION_TIMEOUT)
        .build();
  }

  private static Passwords passwords(DatabaseConfig database) {
    String secret = database.orNull(DatabaseConfig.SECRET);
    if (database.tokenRegion() != null) {
      return AwsPassword.token(database);
    } else if (secret != null) {
      return AwsPassword.secret(database, secret);
    }
    Secret password = database.password();
    return () -> password == null ? null : password.current();
  }

  /**
   * Returns the limits beyond which {@code recorder status} shows a note. The limit for the time
   * without an active host is twice {@code takeover_after}, since a takeover takes slightly longer
   * than the silence that causes it.
   */
  public static Limits limits(RecorderConfig config) {
    return new Limits(
        config.machine().get(MachineConfig.WAITING_LIMIT),
        config.timing().takeoverAfter().multipliedBy(2),
        config.machine().get(MachineConfig.HOSTS));
  }

  public static LogLayout layout(RecorderSection recorder) {
    S3Config s3 = recorder.s3();
    return new LogLayout(
        endpoint(s3),
        s3.get(S3Config.BUCKET),
        s3.get(S3Config.PREFIX),
        new RecorderName(recorder.name()),
        recorder.get(RecorderSectionKeys.COMPRESSION));
  }

  private static Timing timing(TimingConfig timing) {
    return Timing.DEFAULT
        .change()
        .heartbeat(timing.get(TimingConfig.HEARTBEAT))
        .lease(timing.get(TimingConfig.LEASE))
        .takeoverAfter(timing.takeoverAfter())
        .watch(timing.get(TimingConfig.WATCH))
        .failbackAfter(timing.get(TimingConfig.FAILBACK_AFTER))
        .stuckAfter(timing.get(TimingConfig.STUCK_AFTER))
        .build();
  }

  public static DocumentLayout documents(RecorderSection recorder) {
    S3Config s3 = recorder.s3();
    return new DocumentLayout(
        endpoint(s3),
        s3.get(S3Config.BUCKET),
        s3.get(S3Config.PREFIX),
        new RecorderName(recorder.name()));
  }

  /**
   * Returns the place of the recorder's objects, for both kinds, in the form of the recorder's row
   * in the database.
   */
  public static PinnedLayout pinned(RecorderSection recorder) {
    return recorder.kind() == RecorderKind.LOG
        ? PinnedLayout.of(layout(recorder))
        : BackEndSettings.pinned(documents(recorder));
  }

  /** Returns the folder of the recorder's objects, for both kinds, with a slash at the end. */
  public static String folder(RecorderSection recorder) {
    return recorder.kind() == RecorderKind.LOG
        ? layout(recorder).folder()
        : documents(recorder).folder();
  }

  /** Returns the object in the recorder's folder that names the owner of the folder. */
  public static StoreIdentity identity(RecorderSection recorder, UUID id) {
    return recorder.kind() == RecorderKind.LOG
        ? layout(recorder).identity(id)
        : documents(recorder).identity(id);
  }

  private static String endpoint(S3Config s3) {
    URI endpoint = s3.orNull(S3Config.ENDPOINT);
    return endpoint == null ? "" : endpoint.toString();
  }

  /** Returns the query that builds the recorder's documents; empty if there is none. */
  public static Optional<EntityQuery> query(RecorderSection recorder) {
    return Optional.ofNullable(requests(recorder).entityQuery());
  }

  private static BackEndSettings requests(RecorderSection recorder) {
    String handler = recorder.orNull(RecorderSectionKeys.HANDLER);
    return BackEndSettings.of(
            recorder.lockId(),
            documents(recorder),
            new BackEndSettings.BackEndCapacity(
                recorder.get(RecorderSectionKeys.WORKERS),
                recorder.get(RecorderSectionKeys.HANDLER_TIMEOUT),
                recorder.get(RecorderSectionKeys.MAX_ATTEMPTS)))
        .handler(handler == null ? "" : handler)
        .history(recorder.get(RecorderSectionKeys.HISTORY).kept())
        .maxPayload(recorder.get(RecorderSectionKeys.MAX_PAYLOAD).bytes())
        .query(recorder.orNull(RecorderSectionKeys.QUERY))
        .build();
  }

  private static RecorderSettings recorder(RecorderSection recorder) {
    return RecorderSettings.of(recorder.lockId(), layout(recorder))
        .election(recorder.get(RecorderSectionKeys.ELECTION))
        .primary(recorder.primary())
        .failback(recorder.get(RecorderSectionKeys.FAILBACK))
        .rotation(
            new Rotation(
                recorder.get(RecorderSectionKeys.ROTATE_ROWS),
                recorder.get(RecorderSectionKeys.ROTATE_BYTES).bytes()))
        .linger(linger(recorder.get(RecorderSectionKeys.LINGER)))
        .maxPayload(recorder.get(RecorderSectionKeys.MAX_PAYLOAD).bytes())
        .tickEvery(recorder.orNull(RecorderSectionKeys.INTERVAL))
        .history(recorder.get(RecorderSectionKeys.HISTORY).kept())
        .historyBlock(recorder.get(RecorderSectionKeys.HISTORY_BLOCK).bytes())
        .verifyEvery(recorder.orNull(RecorderSectionKeys.VERIFY_EVERY))
        .captures(captures(recorder))
        .table(table(recorder))
        .build();
  }

  /** Returns the settings of the log's table; null if the log has no table. */
  private static @Nullable TableSettings table(RecorderSection recorder) {
    if (recorder.orNull(RecorderSectionKeys.TABLE_FORM) == null) {
      return null;
    }
    TableColumns columns = recorder.orNull(RecorderSectionKeys.TABLE_COLUMNS);
    return new TableSettings(
        recorder.get(RecorderSectionKeys.TABLE_INTERVAL),
        recorder.get(RecorderSectionKeys.TABLE_BYTES).bytes(),
        columns == null ? TableColumns.NONE : columns,
        recorder.get(RecorderSectionKeys.TABLE_PARTITION) == TablePartitionWord.DAY);
  }

  /** Returns the recorder's captures in the order of the file. */
  public static List<CaptureRule> captures(RecorderSection recorder) {
    RecorderName name = new RecorderName(recorder.name());
    return recorder.captures().stream()
        .map(capture -> new CaptureRule(name, capture.table(), capture.options()))
        .toList();
  }

  private static LingerRule linger(LingerSetting linger) {
    Duration fixed = linger.fixed();
    return fixed == null ? LingerRule.AUTO : LingerRule.of(fixed);
  }
}
