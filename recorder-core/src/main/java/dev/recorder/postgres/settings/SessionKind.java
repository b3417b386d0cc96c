package dev.recorder.postgres.settings;

import java.time.Duration;

/** What a session is for; how it is set up stands in {@link SessionSettings}. */
public enum SessionKind {
  /** A machine's one session for heartbeats, the watch on others, and its locks. */
  CONTROL("control"),
  /** Reads, plans and settles a log. */
  DATA("data"),
  /** Claims and settles requests. */
  WORKER("data"),
  /** Runs queries of users that build documents. */
  DOCUMENT("document"),
  /** Waits for notifications, and clears away. */
  LISTEN("listen"),
  /** Waits for the end of another machine's control session. */
  PEER("peer"),
  /** Holds advisory locks. */
  LOCKS("lock"),
  /** Works on locks that are rows. */
  LOCK_ROWS("lock"),
  /** A command's, or a host's, whose statements may take long. */
  QUERY("query"),
  /** The same for whoever waits for the answer, and has said how long. */
  ASK("query"),
  /** Rebuilds tables from a log, in a database that may be another. */
  REPLAY("replay");

  /** Unless the network is given longer. */
  private static final Duration LOCK_ROWS_TIMEOUT = Duration.ofSeconds(2);

  private final String role;

  SessionKind(String role) {
    this.role = role;
  }

  /** Whether it writes what the product's own triggers have to see. */
  public boolean needsTriggers() {
    return switch (this) {
      case CONTROL, DATA, WORKER, QUERY, ASK -> true;
      case DOCUMENT, LISTEN, PEER, LOCKS, LOCK_ROWS, REPLAY -> false;
    };
  }

  /** Whether it is useless on a server that is read-only. */
  public boolean writes() {
    return switch (this) {
      case CONTROL, DATA, WORKER, LOCK_ROWS, REPLAY -> true;
      case DOCUMENT, LISTEN, PEER, LOCKS, QUERY, ASK -> false;
    };
  }

  public String applicationName(String machine) {
    return "recorder/" + machine + "/" + role;
  }

  /**
   * Longest wait for an answer; a lost control session ends those of its machine earlier.
   *
   * @param networkTimeout of {@link #ASK} the wait itself
   */
  public Duration answerWithin(Duration networkTimeout) {
    return switch (this) {
      case CONTROL, LOCKS, ASK -> networkTimeout;
      case DATA, WORKER, DOCUMENT, LISTEN, PEER -> Duration.ofSeconds(10);
      case LOCK_ROWS ->
          networkTimeout.compareTo(LOCK_ROWS_TIMEOUT) > 0 ? networkTimeout : LOCK_ROWS_TIMEOUT;
      case QUERY -> Duration.ofMinutes(10);
      case REPLAY -> Duration.ofHours(6); // One statement may rebuild a whole table.
    };
  }
}
