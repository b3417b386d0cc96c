package dev.recorder.app.bench;

import dev.recorder.app.harness.Cluster;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Many logs in one database, and the rows that come into them; for one thread. */
final class ManyLogs implements AutoCloseable {
  /** So that one transaction needs few of the server's locks. */
  private static final int TABLES_PER_TRANSACTION = 50;

  private final List<String> names;
  private final Connection connection;
  private final Statement statement;
  private final Random random = new Random(1);
  private long rows;

  ManyLogs(List<String> names, Cluster cluster) throws SQLException {
    this.names = names;
    this.connection = cluster.database().connectAsSuperuser();
    this.statement = connection.createStatement();
  }

  /** So many names, of which the first is the cluster's own. */
  static List<String> names(int count) {
    return Stream.concat(
            Stream.of(Cluster.RECORDER), IntStream.range(2, count + 1).mapToObj(n -> "r" + n))
        .toList();
  }

  /** How many rows there are by now, in all logs. */
  long rows() {
    return rows;
  }

  /** A row in one of them, drawn at random. */
  void insertOne() throws SQLException {
    insert(List.of(names.get(random.nextInt(names.size()))));
  }

  /** A row in each. */
  void insertIntoEach() throws SQLException {
    for (int from = 0; from < names.size(); from += TABLES_PER_TRANSACTION) {
      insert(names.subList(from, Math.min(from + TABLES_PER_TRANSACTION, names.size())));
    }
  }

  private void insert(List<String> into) throws SQLException {
    for (String name : into) {
      statement.addBatch(
          "INSERT INTO handoff." + name + " (key, payload) VALUES ('k', '{\"n\":1}')");
    }
    statement.executeBatch();
    rows += into.size();
  }

  /** What the one row of a query says. */
  List<Double> ask(String sql, int columns) throws SQLException {
    return TestDatabase.query(
            connection,
            sql,
            row -> {
              List<Double> values = new ArrayList<>();
              for (int column = 1; column <= columns; column++) {
                values.add(row.getDouble(column));
              }
              return values;
            })
        .get(0);
  }

  double number(String sql) throws SQLException {
    return ask(sql, 1).get(0);
  }

  /** Waits until a query finds as many as there are logs. */
  void await(String what, Duration limit, String sql) throws SQLException, InterruptedException {
    System.out.println("waiting until " + what);
    long start = System.nanoTime();
    while (!areThere() || number(sql) < names.size()) {
      if (System.nanoTime() - start > limit.toNanos()) {
        throw new AssertionError("not within " + limit.toSeconds() + " s: " + what);
      }
      Thread.sleep(100);
    }
  }

  private boolean areThere() throws SQLException {
    return number("SELECT (to_regclass('recorder.takeovers') IS NOT NULL)::int") == 1;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
