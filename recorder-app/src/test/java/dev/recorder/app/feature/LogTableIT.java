package dev.recorder.app.feature;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.app.docs.Documents;
import dev.recorder.app.harness.Bucket;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Particulars;
import dev.recorder.app.harness.Product;
import dev.recorder.app.harness.SiteAdministrator;
import dev.recorder.testing.network.Fault;
import dev.recorder.testing.network.HttpTap;
import dev.recorder.testing.servers.TestDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A log is a table as well, whichever host writes it, and is read by nothing of the product. */
@Timeout(900)
class LogTableIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration AFTER_DEATH = Duration.ofMinutes(3);
  private static final Duration BROUGHT_UP_WITHIN = Duration.ofMinutes(5);

  @RegisterExtension
  private final Story story =
      Story.withKeys(
          "table = delta",
          "table_interval = 1s",
          "table_columns = n:$.n bigint, of:$.order string");

  @TempDir private Path folder;

  @Test
  void theTableHasEachSlotOnceThoughItsWriterDiesAndItsRequestsGoAstray() throws Exception {
    Host a = story.cluster().host("host-a", true, Particulars.PATIENT);
    Host b = story.cluster().host("host-b", false, Particulars.PATIENT);
    story.begin(a, b);
    awaitTable(story.observer().state().lastSlot());

    AtomicInteger puts = new AtomicInteger();
    story
        .tap()
        .onRequest(
            request ->
                !isTablePut(request)
                    ? Fault.none()
                    : switch (puts.incrementAndGet() % 5) {
                      case 1 -> Fault.dropAnswer();
                      case 2 -> Fault.answer(503, "SlowDown");
                      case 3 -> Fault.repeat();
                      default -> Fault.none();
                    });
    awaitTable(story.observer().state().lastSlot());
    // What the dead host had sent takes effect when its successor has gone on.
    story.tap().onRequest(request -> isCommit(request) ? Fault.hold() : Fault.none());
    await("a commit that hangs").until(() -> story.tap().holding() > 0);
    a.kill();
    story.tap().noFaults();
    story.observer().awaitWorking(b, AFTER_DEATH);
    story.awaitNextSlot();
    awaitTable(story.observer().state().lastSlot());
    story.tap().release();
    story.awaitNextSlot();
    awaitTable(story.observer().state().lastSlot());

    assertTableIsSlots();
    story.end();
    assertTableIsSlots();
    Product.Outcome verify = story.cluster().spawn("verify", "orders");
    assertThat(verify.output()).contains("the table has slots up to");
    assertThat(verify.exitCode()).isZero();
  }

  @Test
  void slotsThatTheTableLacksExpireOnlyIfThatIsWanted() throws Exception {
    Host a = story.cluster().host("host-a", true, Particulars.PATIENT);
    story.begin(a);
    awaitTable(1);
    story.tap().onRequest(request -> isTablePut(request) ? Fault.hold() : Fault.none());
    await("a commit that hangs").until(() -> story.tap().holding() > 0);
    for (int slots = 0; slots < 3; slots++) {
      story.awaitNextSlot();
    }
    String last = Long.toString(story.observer().state().lastSlot());

    Product.Outcome refused = story.cluster().spawn("expire", "orders", "--below", last, "--yes");
    assertThat(refused.exitCode()).isEqualTo(75);
    assertThat(
            story
                .cluster()
                .spawn("expire", "orders", "--below", last, "--yes", "--without-table")
                .exitCode())
        .isZero();
    story.tap().release();
    story.awaitNextSlot();
    awaitTable(story.observer().state().lastSlot());
    Product.Outcome verify = story.cluster().spawn("verify", "orders");
    assertThat(verify.output()).contains("the table has slots up to");
    assertThat(verify.exitCode()).isZero();
  }

  @Test
  void aTableThatCannotBeWrittenIsToldOnceAndTheLogGoesOn() throws Exception {
    Host a = story.cluster().host("host-a", true, Particulars.PATIENT);
    story.begin(a);
    awaitTable(1);
    story
        .tap()
        .onRequest(
            request -> isTablePut(request) ? Fault.answer(403, "AccessDenied") : Fault.none());

    a.awaitLog("the table is behind the log, trying again", AFTER_DEATH);
    story.awaitNextSlot();
    await("a note")
        .atMost(AFTER_DEATH)
        .until(() -> story.cluster().run("status").output().contains("the table has been behind"));
    story.tap().noFaults();
    a.awaitLog("the table has slots up to", AFTER_DEATH);

    awaitTable(story.observer().state().lastSlot());
    assertThat(a.alarms())
        .filteredOn(alarm -> alarm.text().startsWith("the table is behind the log"))
        .hasSizeBetween(1, 2);
    assertTableIsSlots();
    story.end();
  }

  /** By the statement of docs/delta.md. */
  @Test
  void theLastChangesOfACapturedTableAreItsRows() throws Exception {
    story.begin(story.cluster().host("host-a", true, Particulars.PATIENT));
    SiteAdministrator administrator = new SiteAdministrator(story.cluster());
    administrator.makeTables(
        List.of("CREATE TABLE public.account (id bigint PRIMARY KEY, amount numeric(12,2))"));
    administrator.administer("capture", "add", "account", "--recorder", "orders", "--print");
    TestDatabase database = story.cluster().database();
    database.execute(
        "INSERT INTO public.account SELECT n, n + 0.25 FROM generate_series(1, 9) n",
        "UPDATE public.account SET amount = -amount WHERE id > 5",
        "DELETE FROM public.account WHERE id % 3 = 0",
        "INSERT INTO public.account VALUES (3, 1e9)");
    String rows = "SELECT id || '|' || amount FROM public.account ORDER BY id";
    List<String> expected = database.query(rows, row -> row.getString(1));
    story.awaitNextSlot();
    awaitTable(story.observer().state().lastSlot());

    List<String> paths =
        copies(
            story.cluster().bucket().changes("public.account"), path -> path.endsWith("parquet"));
    assertThat(lastRows(paths)).isEqualTo(expected);
    Product.Outcome verify = story.cluster().spawn("verify", "orders");
    assertThat(verify.output()).contains("the changes of 1 captured table were compared, too");
    assertThat(verify.exitCode()).isZero();
  }

  private static List<String> lastRows(List<String> paths) throws Exception {
    Matcher example =
        Pattern.compile("(?s)```sql\n(SELECT .*?)```").matcher(Documents.text("docs/delta.md"));
    assertThat(example.find()).isTrue();
    String sql =
        example
            .group(1)
            .replaceFirst(
                "delta_scan\\('[^']*'\\)", "read_parquet([" + String.join(",", paths) + "])");
    List<String> rows = new ArrayList<>();
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement();
        ResultSet each =
            statement.executeQuery(
                "SELECT concat_ws('|', id, amount) FROM (" + sql + ") ORDER BY id")) {
      while (each.next()) {
        rows.add(each.getString(1));
      }
    }
    return rows;
  }

  /** Copies objects into files; returns their paths, quoted. */
  private List<String> copies(NavigableMap<String, byte[]> table, Predicate<String> wanted)
      throws IOException {
    List<String> paths = new ArrayList<>();
    for (Map.Entry<String, byte[]> object : table.entrySet()) {
      if (wanted.test(object.getKey())) {
        Path copy = folder.resolve(object.getKey().replace('/', '_'));
        Files.write(copy, object.getValue());
        paths.add("'" + copy + "'");
      }
    }
    return paths;
  }

  private static boolean isTablePut(HttpTap.Request request) {
    return request.method().equals("PUT") && request.path().contains(".delta/");
  }

  private static boolean isCommit(HttpTap.Request request) {
    return isTablePut(request) && request.path().endsWith(".json");
  }

  private void awaitTable(long slot) {
    await("the table has slot " + slot)
        .atMost(BROUGHT_UP_WITHIN)
        .until(() -> new Commits(story.cluster().bucket().table()).covered >= slot);
  }

  /** What the commits say; each is there, and goes on where the one before it ended. */
  private static final class Commits {
    private final List<String> files = new ArrayList<>();
    private long covered;

    private Commits(NavigableMap<String, byte[]> table) throws IOException {
      long version = 0;
      for (Map.Entry<String, byte[]> object : table.entrySet()) {
        if (!object.getKey().matches("_delta_log/\\d{20}\\.json")) {
          continue;
        }
        assertThat(object.getKey()).contains("%020d".formatted(version++));
        for (String line : new String(object.getValue(), StandardCharsets.UTF_8).lines().toList()) {
          take(JSON.readTree(line));
        }
      }
    }

    private void take(JsonNode action) {
      if (action.has("txn")) {
        covered = action.path("txn").path("version").asLong();
      } else if (action.has("add")) {
        files.add(action.path("add").path("path").asText());
      }
    }
  }

  private void assertTableIsSlots() throws Exception {
    Bucket bucket = story.cluster().bucket();
    NavigableMap<String, byte[]> table = bucket.table();
    Commits commits = new Commits(table);

    assertThat(rows(copies(table, commits.files::contains)))
        .containsExactlyEntriesOf(recorded(bucket, commits.covered));
  }

  /** Row by id, as anybody's own tools read the files. */
  private static Map<Long, String> rows(List<String> paths) throws Exception {
    Map<Long, String> rows = new TreeMap<>();
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement();
        ResultSet each =
            statement.executeQuery(
                "SELECT id, concat_ws('|', xid, epoch_us(time), coalesce(key, '-'), payload, slot),"
                    + " n, \"of\" FROM read_parquet([%s])".formatted(String.join(",", paths)))) {
      while (each.next()) {
        assertThat(rows.put(each.getLong(1), each.getString(2))).as("a row twice").isNull();
      }
    }
    return rows;
  }

  private static Map<Long, String> recorded(Bucket bucket, long last) throws IOException {
    Map<Long, String> rows = new TreeMap<>();
    for (long slot = 1; slot <= last; slot++) {
      for (String line : new String(bucket.lines(slot), StandardCharsets.UTF_8).lines().toList()) {
        JsonNode row = JSON.readTree(line);
        java.time.Instant time = java.time.Instant.parse(row.path("time").asText());
        long micros = time.getEpochSecond() * 1_000_000 + time.getNano() / 1_000;
        rows.put(
            row.path("id").asLong(),
            String.join(
                "|",
                row.path("xid").asText(),
                Long.toString(micros),
                row.path("key").isNull() ? "-" : row.path("key").asText(),
                line.substring(line.indexOf(",\"payload\":") + 11, line.length() - 1),
                Long.toString(slot)));
      }
    }
    return rows;
  }
}
