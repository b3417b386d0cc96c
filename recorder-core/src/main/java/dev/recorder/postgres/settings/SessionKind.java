package dev.recorder.postgres.settings;

import java.time.Duration;

/** The purpose of a session; {@link SessionSettings} has its settings. */
public enum SessionKind {
  /** A host's one session for heartbeats, the watch on other hosts, and its locks. */
  CONTROL("control"),
  /** Reads, plans and settles a log. */
  DATA("data"),
  /** Claims and settles requests. */
  WORKER("data"),
  /** Runs users' queries that build documents. */
  DOCUMENT("document"),
  /** Waits for notifications, and deletes old requests. */
  LISTEN("listen"),
  /** Waits for the end of another host's control session. */
  PEER("peer"),
  LOCKS("lock"),
  LOCK_ROWS("lock"),
  /** For a command or a host whose statements may take long. */
  QUERY("query"),
  /** As {@link #QUERY}, with a limit that the caller gives. */
  ASK("query"),
  /** Rebuilds tables from a log, perhaps in another database. */
  REPLAY("replay");

  /** The time-out of {@link #LOCK_ROWS}, unless the network time-out is longer. */
  private static final Duration LOCK_ROWS_TIMEOUT = Duration.ofSeconds(2);

  private final String role;

  SessionKind(String role) {
    this.role = role;
  }

  /** Returns whether the session writes to tables on which the product's triggers must run. */
  public boolean needsTriggers() {
    return switch (this) {
      case CONTROL, DATA, WORKER, QUERY, ASK -> true;
      case DOCUMENT, LISTEN, PEER, LOCKS, LOCK_ROWS, REPLAY -> false;
    };
  }

  /** Returns whether the session is useless on a read-only server. */
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
   * Returns the longest wait for an answer. If the control session is lost, its host's other
   * sessions end earlier.
   *
   * @param networkTimeout for {@link #ASK} the wait itself
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
