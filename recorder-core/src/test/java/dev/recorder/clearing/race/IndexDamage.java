package dev.recorder.clearing.race;

import dev.recorder.handoff.Block;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** An index that misses a row, as a bug or a broken disk would have it, and the operator's help. */
final class IndexDamage {
  private static final String REPLACED =
      """
      WITH lost AS (DELETE FROM handoff.orders WHERE key = ANY (?) RETURNING id, key, payload)
      INSERT INTO handoff.orders (key, payload) SELECT key, payload FROM lost ORDER BY id
      """;

  private final Race race;

  IndexDamage(Race race) {
    this.race = race;
  }

  /** Commits a row that is in no index, and perhaps others of other producers. */
  synchronized void missARow() throws SQLException {
    try (Connection superuser = race.site.database.connectAsSuperuser();
        Statement statement = superuser.createStatement();
        ResultSet last = statement.executeQuery("SELECT last_value FROM handoff.orders_id_seq")) {
      last.next();
      int leaf = Block.leafOf(Block.of(last.getLong(1)));
      keepIndexOf(leaf, false);
      String key = race.truth.newKey();
      race.site.insert(key);
      race.truth.committed(List.of(key));
      keepIndexOf(leaf, true);
    }
  }

  private void keepIndexOf(int leaf, boolean kept) throws SQLException {
    race.site.database.execute(
        "UPDATE pg_index SET indisready = %s WHERE indrelid = 'recorder.handoff_orders_%d'::regclass"
            .formatted(kept, leaf));
  }

  /** Has the rows recorded that the index of a leaf has missed, as the runbook says. */
  synchronized void repair(int leaf) throws SQLException {
    race.site.run("REINDEX TABLE recorder.handoff_orders_" + leaf);
    synchronized (race.scribe) {
      List<String> there = race.site.ask("SELECT key FROM ONLY recorder.handoff_orders_" + leaf);
      race.scribe.recordAll();
      race.truth.read();
      List<String> missed = new ArrayList<>(there);
      missed.removeIf(race.truth::isRecorded);
      try (Connection owner = race.site.database.connect();
          PreparedStatement statement = owner.prepareStatement(REPLACED)) {
        statement.setArray(1, owner.createArrayOf("text", missed.toArray()));
        statement.executeUpdate();
      }
    }
  }
}
