package dev.recorder.clearing.race;

import dev.recorder.handoff.Block;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;

/** A producer on a connection of its own, whose ids get old before their rows come. */
final class Inserter implements Callable<Void> {
  private static final String INSERT = "INSERT INTO handoff.orders (key, payload) VALUES (?, '{}')";

  /**
   * The id is drawn before the payload is there, and the leaf is opened after it. With SELECT in
   * the place of VALUES it would be drawn last: what is volatile there comes from a query below.
   */
  private static final String SLOW_INSERT =
      """
      INSERT INTO handoff.orders (key, payload)
      VALUES (?, json_build_object('slept', pg_sleep(?)::text))
      """;

  private static final String DRAW = "SELECT nextval('handoff.orders_id_seq')";
  private static final String INSERT_WITH_ID =
      """
      INSERT INTO handoff.orders (id, key, payload) OVERRIDING SYSTEM VALUE VALUES (?, ?, '{}')
      """;

  private final Race race;
  private final SplittableRandom random;
  private final Role role;
  private final List<String> keys = new ArrayList<>();
  private final List<Journal.Insert> late = new ArrayList<>();

  /** What it is there for. */
  enum Role {
    /** Inserts at once, or opens the leaf some time after it has drawn the id. */
    USUAL,
    /** Prepares some of its transactions first. */
    IN_TWO_PHASES,
    /** Keeps an id until its leaf is being emptied, or for seconds. */
    LATE
  }

  Inserter(Race race, SplittableRandom random, Role role) {
    this.race = race;
    this.random = random;
    this.role = role;
  }

  @Override
  public Void call() throws Exception {
    try (Connection connection = race.site.database.connect()) {
      connection.setAutoCommit(false);
      while (!race.isOver()) {
        keys.clear();
        late.clear();
        if (role == Role.LATE) {
          insertLate(connection);
        } else if (random.nextInt(4) == 0) {
          insertSlowly(connection);
        } else {
          for (int rows = 1 + random.nextInt(3); rows > 0; rows--) {
            insert(connection);
          }
        }
        pause(random.nextInt(200) == 0 ? 400 : random.nextInt(4));
        end(connection);
        pause(role == Role.LATE ? 0 : random.nextInt(12));
      }
    }
    return null;
  }

  private void insert(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
      statement.setString(1, newKey());
      statement.executeUpdate();
    }
  }

  private void insertSlowly(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SLOW_INSERT)) {
      statement.setString(1, newKey());
      statement.setDouble(2, random.nextInt(60) / 1_000.0);
      statement.executeUpdate();
    }
  }

  private void insertLate(Connection connection) throws SQLException, InterruptedException {
    long id;
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(DRAW)) {
      row.next();
      id = row.getLong(1);
    }
    connection.commit();
    long drawn = System.nanoTime();
    int leaf = Block.leafOf(Block.of(id));
    race.latecomers.park(leaf, 100 + random.nextInt(2_000));
    try (PreparedStatement statement = connection.prepareStatement(INSERT_WITH_ID)) {
      statement.setLong(1, id);
      statement.setString(2, newKey());
      long sent = System.nanoTime();
      statement.executeUpdate();
      late.add(new Journal.Insert(leaf, Block.of(id), drawn, sent, System.nanoTime()));
    }
  }

  private String newKey() {
    String key = race.truth.newKey();
    keys.add(key);
    return key;
  }

  private void end(Connection connection) throws SQLException, InterruptedException {
    if (random.nextInt(7) == 0) {
      connection.rollback();
    } else if (role == Role.IN_TWO_PHASES && random.nextInt(5) == 0) {
      endInTwoPhases(connection);
    } else {
      connection.commit();
      committed();
    }
  }

  private void endInTwoPhases(Connection connection) throws SQLException, InterruptedException {
    String name = "'" + keys.get(0) + "'";
    boolean commits = random.nextInt(4) > 0;
    try (Statement statement = connection.createStatement()) {
      statement.execute("PREPARE TRANSACTION " + name);
      connection.setAutoCommit(true);
      pause(random.nextInt(80));
      statement.execute((commits ? "COMMIT" : "ROLLBACK") + " PREPARED " + name);
      connection.setAutoCommit(false);
    }
    if (commits) {
      committed();
    }
  }

  private void committed() {
    race.truth.committed(keys);
    late.forEach(race.journal::inserted);
  }

  private static void pause(long millis) throws InterruptedException {
    if (millis > 0) {
      Thread.sleep(millis);
    }
  }
}
