package dev.recorder.clearing.race;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.clearing.ClearingPlan;
import dev.recorder.clearing.LogClearing;
import dev.recorder.clearing.LogClearing.Report;
import dev.recorder.clearing.postgres.JdbcHandoffLeaves;
import dev.recorder.handoff.Term;
import dev.recorder.operate.rebase.RebaseSite;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.SqlAction;
import dev.recorder.testing.Patience;
import dev.recorder.testing.TappedConnection;
import dev.recorder.testing.TestFolder;
import dev.recorder.testing.servers.BaseBackup;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A database is restored to a moment around a clearing, while the objects are what they are: what
 * it had committed by then is recorded once, and it goes on, and clears, as before.
 */
@Tag("nightly")
class RestoreAroundClearingIT {
  private static final ClearingPlan AT_ONCE = new ClearingPlan(Duration.ZERO);
  private static final Pattern KEY = Pattern.compile("\"key\":\"([^\"]*)\"");
  private static final List<String> MOMENTS =
      List.of("before", "rotating", "rotated", "proved", "emptying", "cleared", "late");

  /** What the database had committed at each moment. */
  private final Map<String, List<String>> committed = new LinkedHashMap<>();

  private final List<String> keys = new ArrayList<>();

  @Test
  void whatWasCommittedByThenIsRecordedOnceAndClearedAgain() throws Exception {
    Map<String, BaseBackup> backups = new HashMap<>();
    MemoryStore store = new MemoryStore();
    try (TestFolder archive = TestFolder.create("archive");
        PostgresServer server = PostgresServer.builder().archiveInto(archive.path()).start()) {
      RebaseSite site = new RebaseSite(server, store);
      assertThat(site.setUp()).isEmpty();
      for (String moment : MOMENTS) {
        backups.put(moment, BaseBackup.forRecovery(server, archive.path(), moment));
      }
      liveThrough(site);
      server.archiveAll();
      server.kill();

      assertThat(committed.keySet()).containsExactlyElementsOf(MOMENTS);
      for (String moment : MOMENTS) {
        try (PostgresServer restored = PostgresServer.builder().from(backups.get(moment)).start()) {
          restored.awaitPromotion(Patience.A_MINUTE);
          goOn(moment, new RebaseSite(site.database.on(restored), copy(store)));
        }
      }
    } finally {
      for (BaseBackup backup : backups.values()) {
        backup.close();
      }
    }
  }

  /** One clearing, with a name for each moment of it. */
  private void liveThrough(RebaseSite site) throws Exception {
    insert(site, "a", "b");
    site.record(1);
    note(site, "before");
    insert(site, "c");
    site.record(1);
    try (Connection session = site.sessions().openData()) {
      // The counter has been set, and the block is not noted.
      leaves(site, session, at("COMMIT", () -> note(site, "rotating"))).rotate(0);
    }
    insert(site, "d");
    site.record(1);
    note(site, "rotated");
    try (Connection session = site.sessions().openData()) {
      SqlAction<String> moments =
          sql -> {
            if (sql.endsWith("IN SHARE MODE")) {
              note(site, "proved");
            } else if (sql.equals("COMMIT")) {
              note(site, "emptying");
            }
          };
      assertThat(clear(site, leaves(site, session, moments)))
          .singleElement()
          .matches(Report::isCleared);
    }
    assertThat(site.keys()).containsExactly("d");
    note(site, "cleared");
    site.run(
        "INSERT INTO handoff.orders (id, key, payload) OVERRIDING SYSTEM VALUE VALUES (4, 'late',"
            + " '{}')");
    keys.add("late");
    site.record(1);
    note(site, "late");
    insert(site, "e");
    site.record(1);
  }

  private void goOn(String moment, RebaseSite site) throws Exception {
    List<String> expected = new ArrayList<>(committed.get(moment));
    Map<String, String> objects = contents(site.store);
    assertThat(site.setUp()).as(moment).isEmpty();
    site.insert("new");
    expected.add("new");
    site.record(10);
    assertRecordedOnce(moment, site, expected);

    try (Connection session = site.sessions().openData()) {
      JdbcHandoffLeaves leaves = leaves(site, session, sql -> {});
      long current = leaves.look().currentBlock();
      assertThat(leaves.rotate(current)).as(moment).isTrue();
      site.insert("newer");
      expected.add("newer");
      site.record(10);
      JdbcHandoffLeaves again = leaves(site, session, sql -> {});
      assertThat(clear(site, again)).as(moment).isNotEmpty().allMatch(Report::isCleared);
    }

    assertThat(site.keys()).as(moment).containsExactly("newer");
    assertRecordedOnce(moment, site, expected);
    assertThat(contents(site.store)).as(moment).containsAllEntriesOf(objects);
  }

  private static void assertRecordedOnce(String moment, RebaseSite site, List<String> expected)
      throws Exception {
    List<String> lines = lines(site.store);
    assertThat(lines).as(moment).doesNotHaveDuplicates().containsAll(expected);
    assertThat(site.verify().findings()).as(moment).isEmpty();
  }

  private void insert(RebaseSite site, String... inserted) throws SQLException {
    site.insert(inserted);
    keys.addAll(List.of(inserted));
  }

  /** Gives the moment a name in the archive. */
  private void note(RebaseSite site, String moment) throws SQLException {
    site.database.execute("SELECT pg_create_restore_point('" + moment + "')");
    committed.put(moment, List.copyOf(keys));
  }

  private static SqlAction<String> at(String statement, SqlMoment moment) {
    return sql -> {
      if (sql.equals(statement)) {
        moment.comes();
      }
    };
  }

  @FunctionalInterface
  private interface SqlMoment {
    void comes() throws SQLException;
  }

  private static JdbcHandoffLeaves leaves(
      RebaseSite site, Connection session, SqlAction<String> before) throws SQLException {
    Term term = new Terms(site).current();
    Connection tapped = new TappedConnection(session, before, UnaryOperator.identity()).tapped();
    return new JdbcHandoffLeaves(tapped, SchemaNames.DEFAULT, RebaseSite.ORDERS, term);
  }

  private static List<Report> clear(RebaseSite site, JdbcHandoffLeaves leaves) {
    return new LogClearing(site.store, RebaseSite.LAYOUT, () -> true).turn(leaves, AT_ONCE);
  }

  /** What S3 has when the database has been restored: everything. */
  private static MemoryStore copy(MemoryStore store) {
    MemoryStore copy = new MemoryStore();
    store.objects().forEach((key, body) -> copy.overwrite(key, body.bytes(), body.metadata()));
    return copy;
  }

  private static Map<String, String> contents(MemoryStore store) {
    Map<String, String> contents = new HashMap<>();
    store.objects().forEach((key, body) -> contents.put(key, new String(body.bytes(), UTF_8)));
    return contents;
  }

  private static List<String> lines(MemoryStore store) {
    List<String> lines = new ArrayList<>();
    store.objects().entrySet().stream()
        .filter(object -> object.getKey().endsWith(".ndjson"))
        .forEach(
            object -> {
              Matcher key = KEY.matcher(new String(object.getValue().bytes(), UTF_8));
              while (key.find()) {
                lines.add(key.group(1));
              }
            });
    return lines;
  }
}
