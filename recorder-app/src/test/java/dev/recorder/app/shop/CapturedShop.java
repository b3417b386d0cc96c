package dev.recorder.app.shop;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.SiteAdministrator;
import dev.recorder.testing.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The {@link Shop} in a cluster's database, captured into one of its logs. */
public final class CapturedShop {
  /** Slots before the newest fold have been folded into it. */
  private static final String RECORDED =
      """
      SELECT coalesce(sum(s.row_count), 0)
        + (SELECT coalesce(max(f.row_count), 0)
           FROM recorder.folds f JOIN recorder.lock_recorders USING (lock_id)
           WHERE recorder = '%1$s')
      FROM recorder.slots s JOIN recorder.lock_recorders r USING (lock_id)
      WHERE r.recorder = '%1$s' AND s.slot <= r.last_slot
      """;

  private final Cluster cluster;
  private final SiteAdministrator administrator;
  private final String recorder;

  private CapturedShop(Cluster cluster, String recorder) {
    this.cluster = cluster;
    this.administrator = new SiteAdministrator(cluster);
    this.recorder = recorder;
  }

  /** Makes the tables, and has them captured as an administrator would. */
  public static CapturedShop make(Cluster cluster, String recorder) throws SQLException {
    CapturedShop shop = new CapturedShop(cluster, recorder);
    shop.administrator.makeTables(Shop.DEFINITIONS);
    shop.capture();
    return shop;
  }

  private void capture() throws SQLException {
    administrator.administer("schema");
    for (String table : Shop.TABLES) {
      String old = table.equals(Shop.KEYLESS) ? "all" : "key";
      administrator.administer(
          "capture", "add", table, "--recorder", recorder, "--old", old, "--print");
    }
    administrator.run("capture", "check");
  }

  /** Has all rows that the tables have written into the log, while these are in use. */
  public void takeSnapshots() {
    for (String table : Shop.TABLES) {
      administrator.run("capture", "snapshot", table, "--recorder", recorder);
    }
  }

  /** Waits until all changes are recorded; returns how many there are. */
  public long awaitRecorded(Duration limit) throws SQLException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    long changes = cluster.database().number("SELECT count(*) FROM handoff." + recorder);
    for (long recorded = recorded(); recorded < changes; recorded = recorded()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(
            "%d of %d changes are recorded after %d s"
                .formatted(recorded, changes, limit.toSeconds()));
      }
      Thread.sleep(100);
    }
    return changes;
  }

  private long recorded() throws SQLException {
    return cluster.database().number(RECORDED.formatted(recorder));
  }

  /** Replays what is recorded, and says which tables are then others than those of the shop. */
  public List<String> replayedOtherwise(TestDatabase target) throws SQLException {
    administrator.run("replay", recorder, "--into", file(target).toString(), "-o", "json");
    List<String> others = new ArrayList<>();
    for (String table : Shop.TABLES) {
      List<String> wanted = rows(cluster.database(), table);
      List<String> found = rows(target, table);
      if (!found.equals(wanted)) {
        others.add(
            "%s: %d rows instead of %d".formatted(table, found.size(), wanted.size())
                + difference(wanted, found));
      }
    }
    return others;
  }

  private static String difference(List<String> wanted, List<String> found) {
    List<String> missing = new ArrayList<>(wanted);
    found.forEach(missing::remove);
    List<String> more = new ArrayList<>(found);
    wanted.forEach(more::remove);
    return ", missing " + first(missing) + ", not there " + first(more);
  }

  private static List<String> first(List<String> rows) {
    return rows.subList(0, Math.min(3, rows.size()));
  }

  private Path file(TestDatabase target) {
    String text =
        """
        [postgredb]
        endpoint = 127.0.0.1
        port = %d
        database = %s
        user = %s
        password = %s
        """
            .formatted(
                target.server().port(), target.name(), TestDatabase.ROLE, TestDatabase.PASSWORD);
    try {
      return Files.writeString(cluster.file("target.ini"), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As text, in some order; columns of one type may be declared otherwise in the target. */
  private static List<String> rows(TestDatabase database, String table) throws SQLException {
    return database.query(
        "SELECT t::text FROM %s t ORDER BY 1".formatted(table), row -> row.getString(1));
  }
}
