package dev.recorder.app.soak;

import dev.recorder.app.harness.Cluster.Recording;
import dev.recorder.app.harness.proof.Books;
import dev.recorder.app.harness.proof.ClearingJournal;
import dev.recorder.app.harness.proof.ClearingJournal.Clearing;
import dev.recorder.app.harness.proof.Holdings;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The log whose rows are cleared away as soon as may be, beside others that keep theirs: that rows
 * go, by more than one host, that the table stays small, and that no log's rows are missing from
 * the sum of what is in its table and what was cleared.
 */
final class ClearedLog {
  static final String NAME = "orders";

  private static final long BLOCK = 1 << 20;

  /** A block in use, one that is being cleared, and what comes meanwhile. */
  private static final long MOST_BYTES = 4 * BLOCK;

  /** A block fills up in some seconds, unless something is broken. */
  private static final long LEAST_PER_MINUTE = 2;

  private static final int LEAST_HOSTS = 2;
  private static final Duration ENOUGH_WITHIN = Duration.ofMinutes(2);
  private static final Duration MOVE_EVERY = Duration.ofSeconds(20);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final String BYTES =
      "SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('handoff."
          + NAME
          + "') WHERE isleaf";

  private final TestDatabase database;
  private final FaultyHosts faulty;
  private final Journal journal;
  private final ClearingJournal clearings;
  private final long least;

  private ClearedLog(Stage stage, Journal journal, ClearingJournal clearings, Duration length) {
    this.database = stage.cluster().database();
    this.faulty = stage.faults();
    this.journal = journal;
    this.clearings = clearings;
    this.least = Math.max(LEAST_HOSTS, LEAST_PER_MINUTE * length.toMinutes());
  }

  /** What is to be recorded, and how long it is to stay. */
  static Recording recording(List<String> recorders, String linger, String requests) {
    return new Recording(recorders, linger, requests)
        .with(NAME, "history = 0", "history_block = 1MiB")
        .with("events", "history = 7d")
        .with("audit", "history = forever", "table = delta", "table_interval = 1s")
        .with(SoakShop.NAME, "table = delta", "table_interval = 1s");
  }

  /** Begins to look at it; the recorder's tables must be there. */
  static ClearedLog of(Stage stage, Journal journal, Duration length) throws SQLException {
    return new ClearedLog(stage, journal, ClearingJournal.in(stage.cluster().database()), length);
  }

  /**
   * Goes on, under load, until enough was cleared by enough hosts, which the faults alone need not
   * have led to.
   *
   * @param preferences by which another host becomes active
   */
  void awaitEnough(Preferences preferences) throws SQLException, InterruptedException {
    long start = System.nanoTime();
    long moved = start - MOVE_EVERY.toNanos();
    while (!isEnough()) {
      if (System.nanoTime() - start > ENOUGH_WITHIN.toNanos()) {
        journal.blame(
            "%s: %d clearings by %s, %d KiB in the table; wanted are %d by %d hosts and at most %d"
                + " KiB, %d s after everything was healed",
            NAME,
            done().size(),
            hosts(),
            bytes() >> 10,
            least,
            LEAST_HOSTS,
            MOST_BYTES >> 10,
            ENOUGH_WITHIN.toSeconds());
        return;
      }
      Set<String> hosts = hosts();
      boolean isTime = System.nanoTime() - moved >= MOVE_EVERY.toNanos();
      if (!hosts.isEmpty() && hosts.size() < LEAST_HOSTS && isTime) {
        moved = System.nanoTime();
        preferences
            .toOtherThan(hosts, NAME)
            .ifPresent(whom -> journal.say("so that another host clears: %s", whom));
      }
      faulty.restartTheEnded();
      Thread.sleep(POLL.toMillis());
    }
  }

  private boolean isEnough() throws SQLException {
    return done().size() >= least && hosts().size() >= LEAST_HOSTS && bytes() <= MOST_BYTES;
  }

  /** What has become of the rows, when the hosts have ended; blames what is missing. */
  void prove(Books books, List<String> recorders, Map<String, Object> figures) throws SQLException {
    for (String recorder : recorders) {
      Holdings holdings = Holdings.of(database, recorder);
      if (holdings.rows() != books.rows(recorder)) {
        journal.blame("%s: %s of %d rows committed", recorder, holdings, books.rows(recorder));
      }
      if (!recorder.equals(NAME) && holdings.cleared() > 0) {
        journal.blame("%s: %s, and none is to go", recorder, holdings);
      }
    }
    Holdings holdings = Holdings.of(database, NAME);
    long noted = done().stream().mapToLong(Clearing::rows).sum();
    if (noted != holdings.cleared()) {
      journal.blame("%s: %s, and %d were seen to go", NAME, holdings, noted);
    }
    if (bytes() > MOST_BYTES) {
      journal.blame("%s: its table has %d KiB", NAME, bytes() >> 10);
    }
    figures.put("cleared", holdings.cleared());
    figures.put("kept", holdings.kept());
    figures.put("clearings", done().size());
    figures.put("clearing_hosts", hosts().size());
    figures.put("table_kib", bytes() >> 10);
  }

  private List<Clearing> done() throws SQLException {
    return clearings.clearings().stream().filter(each -> each.recorder().equals(NAME)).toList();
  }

  private Set<String> hosts() throws SQLException {
    return done().stream().map(Clearing::machine).collect(Collectors.toSet());
  }

  private long bytes() throws SQLException {
    return database.number(BYTES);
  }
}
