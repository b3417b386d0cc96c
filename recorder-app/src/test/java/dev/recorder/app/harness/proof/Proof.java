package dev.recorder.app.harness.proof;

import dev.recorder.app.harness.Cluster;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;

/**
 * What an {@link Oracle} has found in one log or in several.
 *
 * @param rows committed rows
 * @param lost committed rows that are in no object
 * @param duplicated rows that are there more than once, counted each time but the first
 * @param outOfOrder rows after one whose transaction began when theirs had been committed, or
 *     before an earlier row of their own transaction
 * @param foreign rows that nobody committed
 * @param strays rows that the database has lost, and the log has not
 * @param faults of all kinds, as sentences; only the first ones
 */
public record Proof(
    long rows,
    long objects,
    long lost,
    long duplicated,
    long outOfOrder,
    long foreign,
    long strays,
    List<String> faults) {
  static final Proof NOTHING = new Proof(0, 0, 0, 0, 0, 0, 0, List.of());

  /** Reads all objects, once the producers have ended. */
  public static Proof of(Cluster cluster, Books books) throws SQLException {
    return Oracle.of(cluster, books, fault -> {}).proof();
  }

  /** Each committed row exactly once, no other, in order, in slots without gaps. */
  public boolean holds() {
    return faultyRows() == 0 && faults.isEmpty();
  }

  public long faultyRows() {
    return lost + duplicated + outOfOrder + foreign;
  }

  /** The two together. */
  Proof and(Proof other) {
    return new Proof(
        rows + other.rows,
        objects + other.objects,
        lost + other.lost,
        duplicated + other.duplicated,
        outOfOrder + other.outOfOrder,
        foreign + other.foreign,
        strays + other.strays,
        Stream.concat(faults.stream(), other.faults.stream()).toList());
  }
}
