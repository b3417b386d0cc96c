package dev.recorder.app.harness;

import dev.recorder.testing.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares a bucket with the hand-off table of a database that has lost history, or was restored:
 * what is in the table now must be in the log once, whatever producers were told elsewhere.
 *
 * @param rows in the table
 * @param missing rows that are in no object
 * @param repeated keys that are in the log more than once, whether the table has them or not
 * @param strays keys that are in the log only: rows that the database has lost
 * @param faults of slots and contents, as sentences
 */
public record SurvivingRows(
    int rows, List<String> missing, List<String> repeated, int strays, List<String> faults) {

  /** Looks at both; nothing of the product is used. */
  public static SurvivingRows of(Bucket bucket, TestDatabase database) throws SQLException {
    Map<String, Integer> logged = new HashMap<>();
    List<String> faults = new ArrayList<>();
    long expected = 1;
    for (Bucket.Slot slot : bucket.slots()) {
      if (slot.number() != expected) {
        faults.add("slot " + slot.number() + " stands where slot " + expected + " should be");
      }
      expected = slot.number() + 1;
      for (Bucket.Row row : slot.rows()) {
        logged.merge(row.key(), 1, Integer::sum);
        if (!row.key().equals(row.payloadKey())) {
          faults.add("row " + row.key() + " carries the payload of " + row.payloadKey());
        }
      }
    }
    List<String> keys = keys(database);
    return new SurvivingRows(
        keys.size(),
        keys.stream().filter(key -> !logged.containsKey(key)).toList(),
        logged.keySet().stream().filter(key -> logged.get(key) > 1).toList(),
        (int) logged.keySet().stream().filter(key -> !keys.contains(key)).count(),
        List.copyOf(faults));
  }

  /** Each row once, in slots without gaps. */
  public boolean areEachRecordedOnce() {
    return missing.isEmpty() && repeated.isEmpty() && faults.isEmpty();
  }

  private static List<String> keys(TestDatabase database) throws SQLException {
    List<String> keys = new ArrayList<>();
    try (Connection connection = database.connectAsSuperuser();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT key FROM handoff." + Cluster.RECORDER)) {
      while (row.next()) {
        keys.add(row.getString(1));
      }
    }
    return keys;
  }
}
