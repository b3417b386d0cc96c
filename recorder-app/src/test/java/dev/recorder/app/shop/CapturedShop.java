package dev.recorder.app.shop;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.SiteAdministrator;
import dev.recorder.testing.servers.TestDatabase;
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
  /** Of the rows that a snapshot sees those that are not in the log; others may be cleared. */
  private static final String WAITING =
      """
      SELECT count(*) FROM handoff.%1$s h, recorder.lock_recorders r
      WHERE r.recorder = '%1$s' AND pg_visible_in_snapshot(h.xid, '%2$s')
        AND NOT pg_visible_in_snapshot(h.xid, r.done_snapshot)
        AND (pg_visible_in_snapshot(h.xid, r.open_snapshot)
          AND (h.xid, h.id) <= (r.open_xid, r.open_id)) IS NOT TRUE
        AND NOT EXISTS (
          SELECT FROM recorder.exclusions e
          WHERE e.lock_id = r.lock_id AND e.xid = h.xid AND e.id = h.id)
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
    String now =
        cluster.database().query("SELECT pg_current_snapshot()", r -> r.getString(1)).get(0);
    long changes = cluster.database().number("SELECT count(*) FROM handoff." + recorder);
    for (long waiting = waiting(now); waiting > 0; waiting = waiting(now)) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(
            "%d of %d changes are not recorded after %d s"
                .formatted(waiting, changes, limit.toSeconds()));
      }
      Thread.sleep(100);
    }
    return changes;
  }

  private long waiting(String snapshot) throws SQLException {
    return cluster.database().number(WAITING.formatted(recorder, snapshot));
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
