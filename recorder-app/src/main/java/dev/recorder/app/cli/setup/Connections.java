package dev.recorder.app.cli.setup;

import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.host.MachineConfig;
import dev.recorder.app.config.host.MetricsConfig;
import dev.recorder.app.config.recorder.RecorderSectionKeys;
import dev.recorder.app.config.value.RecorderKindWord;

/** How many database sessions this host has at most, and whether the server lets it. */
final class Connections {
  /** Logs whose lockids have the same remainder share a session. */
  private static final int MOST_FOR_LOGS = 4;

  private Connections() {}

  /**
   * As docs/operating.md says it; without the one that SIGHUP or a command takes for an instant.
   */
  static int needed(RecorderConfig config) {
    int control = 1;
    int forTasks = config.machine().orNull(MachineConfig.TASK_TIMEOUTS) == null ? 0 : 1;
    long forLogs =
        config.recorders().stream()
            .filter(recorder -> recorder.kind() == RecorderKindWord.LOG)
            .map(recorder -> recorder.lockId() % MOST_FOR_LOGS)
            .distinct()
            .count();
    int forMetrics = config.http() == null && !config.metrics().get(MetricsConfig.EMF) ? 0 : 1;
    int forPage = config.http() == null ? 0 : 1; // Which looks for itself.
    // For new rows and for captures where it is active, for a peer's end else.
    int watching = forLogs == 0 ? 0 : 3;
    return control
        + forTasks
        + forMetrics
        + forPage
        + (int) forLogs
        + watching
        + (forLogs == 0 && isOfDocuments(config) ? 1 : 0)
        + forClearing(config)
        + forVerifying(config)
        + forRequests(config);
  }

  /** Which captures of tables ask for. */
  private static boolean isOfDocuments(RecorderConfig config) {
    return config.recorders().stream()
        .anyMatch(
            recorder ->
                recorder.kind() == RecorderKindWord.REQUESTS
                    && (recorder.orNull(RecorderSectionKeys.QUERY) != null
                        || !recorder.captures().isEmpty()));
  }

  /** Logs are cleared one after the other. */
  private static int forClearing(RecorderConfig config) {
    boolean any =
        config.recorders().stream()
            .anyMatch(
                recorder ->
                    recorder.kind() == RecorderKindWord.LOG
                        && recorder.get(RecorderSectionKeys.HISTORY).kept() != null);
    return any ? 1 : 0;
  }

  /** Logs are verified one after the other: one asks, and another reads rows. */
  private static int forVerifying(RecorderConfig config) {
    boolean any =
        config.recorders().stream()
            .anyMatch(each -> each.orNull(RecorderSectionKeys.VERIFY_EVERY) != null);
    return any ? 2 : 0;
  }

  private static int forRequests(RecorderConfig config) {
    int workers =
        config.recorders().stream()
            .filter(recorder -> recorder.kind() == RecorderKindWord.REQUESTS)
            .mapToInt(
                recorder ->
                    recorder.get(RecorderSectionKeys.WORKERS)
                        * (recorder.orNull(RecorderSectionKeys.QUERY) == null ? 1 : 2))
            .sum();
    return workers == 0 ? 0 : workers + 1; // One listens for notifications.
  }

  /**
   * A check.
   *
   * @param limit of all sessions of the role, on whatever host
   */
  static Check check(RecorderConfig config, int limit) {
    int needed = needed(config);
    return needed <= limit
        ? Check.passed(
            "connections",
            "this host needs %d at most, all hosts together may have %d".formatted(needed, limit))
        : Check.misconfigured(
            "connections",
            "this host needs up to %d, and all hosts together may have %d; raise max_connections, or"
                    .formatted(needed, limit)
                + " the role's or the database's CONNECTION LIMIT, or write fewer workers");
  }
}
