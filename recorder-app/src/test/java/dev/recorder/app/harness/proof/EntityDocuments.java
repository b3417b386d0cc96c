package dev.recorder.app.harness.proof;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.SiteAdministrator;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The documents of a recorder of requests, beside what its query makes of each entity. */
public final class EntityDocuments {
  private static final String DELETED = "{\"deleted\":true}";

  private final Cluster cluster;
  private final String recorder;
  private final String query;

  private EntityDocuments(Cluster cluster, String recorder, String query) {
    this.cluster = cluster;
    this.recorder = recorder;
    this.query = query;
  }

  /**
   * Has tables, which are there, captured as an administrator would.
   *
   * @param query the recorder's, for entities whose keys are numbers
   * @param entities whose documents a row of each table belongs to
   */
  public static EntityDocuments capture(
      Cluster cluster, String recorder, String query, Map<String, String> entities)
      throws SQLException {
    cluster
        .database()
        .execute(
            "GRANT USAGE ON SCHEMA public TO recorder_reader",
            "GRANT SELECT ON ALL TABLES IN SCHEMA public TO recorder_reader");
    SiteAdministrator administrator = new SiteAdministrator(cluster);
    for (Map.Entry<String, String> each : entities.entrySet()) {
      administrator.administer(
          "capture",
          "add",
          each.getKey(),
          "--recorder",
          recorder,
          "--entity",
          each.getValue(),
          "--print");
    }
    administrator.run("capture", "check");
    return new EntityDocuments(cluster, recorder, query);
  }

  /**
   * Waits until all requests are done; returns how many there were.
   *
   * @param limit the longest time without one that is done
   */
  public long awaitDone(Duration limit) throws SQLException, InterruptedException {
    long least = Long.MAX_VALUE;
    long deadline = 0;
    String open = " WHERE request_status NOT IN ('complete', 'error')";
    for (long left = requests(open); left > 0; left = requests(open)) {
      if (left < least) {
        least = left;
        deadline = System.nanoTime() + limit.toNanos();
      } else if (System.nanoTime() > deadline) {
        throw new AssertionError(
            "%d requests are open, the same for %d s".formatted(left, limit.toSeconds()));
      }
      Thread.sleep(100);
    }
    return requests("");
  }

  private long requests(String which) throws SQLException {
    return cluster.database().number("SELECT count(*) FROM handoff." + recorder + which);
  }

  /** How many documents there are. */
  public int count() {
    return cluster.documents(recorder).size();
  }

  /** Which documents are others than what the query says now, while nobody changes anything. */
  public List<String> others() throws SQLException {
    Map<String, byte[]> documents = cluster.documents(recorder);
    List<String> others = new ArrayList<>();
    List<String> entities =
        cluster
            .database()
            .query(
                "SELECT DISTINCT entity_id FROM handoff.%s ORDER BY 1".formatted(recorder),
                row -> row.getString(1));
    try (Connection connection = cluster.database().connect();
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT row_to_json(q) FROM (" + query.replace(":entity", "?::int") + ") AS q")) {
      for (String entity : entities) {
        statement.setString(1, entity);
        try (ResultSet row = statement.executeQuery()) {
          String wanted = row.next() ? row.getString(1) : DELETED;
          byte[] found = documents.get(entity);
          String text = found == null ? "nothing" : new String(found, UTF_8).strip();
          if (!text.equals(wanted)) {
            others.add("%s %s: %s instead of %s".formatted(recorder, entity, text, wanted));
          }
        }
      }
    }
    return others;
  }
}
