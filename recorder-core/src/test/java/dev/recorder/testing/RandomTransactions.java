package dev.recorder.testing;

import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Transactions of one session, of one to four changes each. For one thread.
 *
 * @param change the next of them
 * @param rolledBackOneIn how many transactions there are to one that is rolled back
 */
public record RandomTransactions(
    TestDatabase database, Random random, Function<Random, String> change, int rolledBackOneIn) {

  /**
   * One after the other. Those that fail are rolled back: two wait for each other, or a key is
   * there twice.
   *
   * @param goesOn whether there is to be another
   * @return how many were committed
   */
  public int run(BooleanSupplier goesOn) throws SQLException {
    int committed = 0;
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      while (goesOn.getAsBoolean()) {
        try {
          committed += transaction(connection, statement);
        } catch (SQLException inTheWay) {
          connection.rollback();
        }
      }
    }
    return committed;
  }

  private int transaction(Connection connection, Statement statement) throws SQLException {
    for (int i = random.nextInt(4); i >= 0; i--) {
      statement.execute(change.apply(random));
    }
    if (random.nextInt(rolledBackOneIn) == 0) {
      connection.rollback();
      return 0;
    }
    connection.commit();
    return 1;
  }
}
