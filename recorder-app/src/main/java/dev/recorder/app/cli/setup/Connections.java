package dev.recorder.app.cli.setup;

import dev.recorder.app.config.RecorderConfig;
import dev.recorder.app.config.host.MachineConfig;
import dev.recorder.app.config.recorder.RecorderSectionKeys;
import dev.recorder.handoff.RecorderKind;

/** Checks that the server allows the sessions that this host needs. */
final class Connections {
  /** The most sessions for logs. Logs whose lockids have the same remainder share a session. */
  private static final int MOST_FOR_LOGS = 4;

  private Connections() {}

  /**
   * Returns the number of sessions that docs/operating.md counts, without the short sessions of
   * SIGHUP and of commands.
   */
  static int needed(RecorderConfig config) {
    int control = 1;
    int forTasks = config.machine().orNull(MachineConfig.TASK_TIMEOUTS) == null ? 0 : 1;
    long forLogs =
        config.recorders().stream()
            .filter(recorder -> recorder.kind() == RecorderKind.LOG)
            .map(recorder -> recorder.lockId() % MOST_FOR_LOGS)
            .distinct()
            .count();
    int forNotes = 1; // For metrics, or for systemd.
    int forPage = config.http() == null ? 0 : 1; // It samples for itself.
    // The active host watches rows and captures; a standby watches its peer.
    int watching = forLogs == 0 ? 0 : 3;
    return control
        + forTasks
        + forNotes
        + forPage
        + (int) forLogs
        + watching
        + (forLogs == 0 && isOfDocuments(config) ? 1 : 0)
        + forClearing(config)
        + forVerifying(config)
        + forRequests(config);
  }

  /** Whether the tables of recorders of requests need a session, too. */
  private static boolean isOfDocuments(RecorderConfig config) {
    return config.recorders().stream()
        .anyMatch(
            recorder ->
                recorder.kind() == RecorderKind.REQUESTS
                    && (recorder.orNull(RecorderSectionKeys.QUERY) != null
                        || !recorder.captures().isEmpty()));
  }

  /** Returns the sessions for clearing: one, since logs are cleared one after the other. */
  private static int forClearing(RecorderConfig config) {
    boolean any =
        config.recorders().stream()
            .anyMatch(
                recorder ->
                    recorder.kind() == RecorderKind.LOG
                        && recorder.get(RecorderSectionKeys.HISTORY).kept() != null);
    return any ? 1 : 0;
  }

  /**
   * Returns the sessions for verifying: logs are verified one after the other, with one session for
   * bookkeeping and one for rows.
   */
  private static int forVerifying(RecorderConfig config) {
    boolean any =
        config.recorders().stream()
            .anyMatch(each -> each.orNull(RecorderSectionKeys.VERIFY_EVERY) != null);
    return any ? 2 : 0;
  }

  private static int forRequests(RecorderConfig config) {
    int workers =
        config.recorders().stream()
            .filter(recorder -> recorder.kind() == RecorderKind.REQUESTS)
            .mapToInt(
                recorder ->
                    recorder.get(RecorderSectionKeys.WORKERS)
                        * (recorder.orNull(RecorderSectionKeys.QUERY) == null ? 1 : 2))
            .sum();
    return workers == 0 ? 0 : workers + 1; // One session listens for notifications.
  }

  /**
   * Checks the limit.
   *
   * @param limit the limit for all sessions of the role, on all hosts
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
