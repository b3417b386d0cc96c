package dev.recorder.app.daemon;

import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.connection.DatabaseConfig;
import dev.recorder.app.config.host.HttpConfig;
import dev.recorder.app.config.host.MetricsConfig;
import dev.recorder.app.http.HttpAnswer;
import dev.recorder.app.http.HttpPort;
import dev.recorder.app.logs.AppEvent;
import dev.recorder.app.looks.DatabaseSampling;
import dev.recorder.app.looks.LatestSample;
import dev.recorder.app.looks.SiteSampler;
import dev.recorder.app.metrics.EmfReport;
import dev.recorder.app.metrics.Exposition;
import dev.recorder.app.metrics.Reloads;
import dev.recorder.app.page.Page;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.operate.diagnosis.Note;
import dev.recorder.postgres.Sessions;
import dev.recorder.time.Ticker;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reports of this process: the HTTP port and the lines for CloudWatch, if the file configures
 * them, and the notes for systemd.
 */
final class Reporting implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Reporting.class);

  private final Reloads reloads = new Reloads();
  private final @Nullable HttpPort port;
  private final @Nullable SiteSampler sampler;
  private final @Nullable EmfReport report;

  private Reporting(
      RecorderConfig config, String version, MachineMetrics metrics, boolean isService) {
    HttpConfig http = config.http();
    boolean emf = config.metrics().get(MetricsConfig.EMF);
    if (http == null && !emf && !isService) {
      port = null;
      sampler = null;
      report = null;
      return;
    }
    String host = config.machine().name();
    Sessions sessions = new Sessions(ConfiguredMachine.database(config), host);
    // The same limits as those of recorder status.
    SiteSampler looks =
        SiteSampler.start(
            sessions,
            new DatabaseSampling(
                config.timing().takeoverAfter(), ConfiguredMachine.limits(config)));
    sampler = looks;
    metrics.elsewhere(log -> looks.isElsewhere(log, host));
    report = emf ? EmfReport.start(whose(config), metrics, reloads, looks::last, System.out) : null;
    if (http == null) {
      port = null;
      return;
    }
    Exposition text =
        new Exposition(
            new Exposition.ExposedHost(host, version),
            metrics,
            reloads,
            looks::scraped,
            Ticker.system());
    Map<String, Supplier<HttpAnswer>> behind =
        new HashMap<>(Page.of(host, version, metrics, looks).answers());
    behind.put("/metrics", () -> HttpAnswer.figures(text.get()));
    port = open(http, metrics, behind);
  }

  private static EmfReport.Whose whose(RecorderConfig config) {
    DatabaseConfig database = config.database();
    String site =
        String.join(
            "/",
            database.get(DatabaseConfig.ENDPOINT),
            database.get(DatabaseConfig.DATABASE),
            database.schema());
    return new EmfReport.Whose(site, config.machine().name(), config.metrics().emfRecorders());
  }

  /**
   * Starts the reports. If the port cannot be bound, recording starts without it.
   *
   * @param isService whether systemd shows the notes
   */
  static Reporting of(
      RecorderConfig config, String version, MachineMetrics metrics, boolean isService) {
    return new Reporting(config, version, metrics, isService);
  }

  /** Returns the gravest present note of {@code recorder status}. Notices do not count. */
  Optional<Note> gravestNote() {
    LatestSample now = sampler == null ? LatestSample.NONE : sampler.last();
    return now.ok() && now.look() != null
        ? now.look().site().notes().stream()
            .filter(note -> note.severity() != Note.Severity.NOTICE)
            .findFirst()
        : Optional.empty();
  }

  private static @Nullable HttpPort open(
      HttpConfig http, MachineMetrics metrics, Map<String, Supplier<HttpAnswer>> behind) {
    try {
      return HttpPort.open(http, metrics, behind);
    } catch (IOException taken) {
      log.error(
          AppEvent.HTTP_PORT_NOT_HAD,
          "[http] listen = {} cannot be bound; the HTTP port is off until a restart: {}",
          http.listen(),
          String.valueOf(taken.getMessage()));
      return null;
    }
  }

  /** Returns the counts of successful and failed reloads. */
  Reloads reloads() {
    return reloads;
  }

  @Override
  public void close() {
    if (port != null) {
      port.close();
    }
    if (report != null) {
      report.close();
    }
    if (sampler != null) {
      sampler.close();
    }
  }
}
