package dev.recorder.app.soak;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import java.util.Random;

/**
 * One application on one connection: mostly short transactions of some rows, now and then one that
 * takes seconds, one that rolls back to a savepoint, one that rolls back altogether.
 */
final class Application {
  private static final int LONG_PERCENT = 1;
  private static final int SAVEPOINT_PERCENT = 15;
  private static final int ROLLED_BACK_PERCENT = 8;
  private static final int MANY_ROWS_PERCENT = 3;

  private final Connection connection;
  private final List<String> recorders;
  private final int number;
  private final Book book;
  private final Random random;

  Application(Connection connection, List<String> recorders, int number, Book book, Random random) {
    this.connection = connection;
    this.recorders = recorders;
    this.number = number;
    this.book = book;
    this.random = random;
  }

  /**
   * One transaction.
   *
   * @return number of rows that are known to be committed
   * @throws SQLException when the connection is of no more use; the book knows what it means
   */
  int transact() throws SQLException, InterruptedException {
    int recorder = random.nextInt(recorders.size());
    int transaction = book.begin(recorder, System.nanoTime());
    int written = insert(transaction, recorders.get(recorder));
    if (chance(ROLLED_BACK_PERCENT)) {
      connection.rollback();
      return 0;
    }
    try {
      connection.commit();
    } catch (SQLException noAnswer) {
      book.unknown(transaction, written);
      throw noAnswer;
    }
    book.committed(transaction, written, System.nanoTime());
    return Integer.bitCount(written);
  }

  /** Inserts rows and returns which of them a commit would commit. */
  private int insert(int transaction, String recorder) throws SQLException, InterruptedException {
    int rows = 1 + random.nextInt(chance(MANY_ROWS_PERCENT) ? Book.MOST_ROWS : 5);
    long pause = chance(LONG_PERCENT) ? 3_000 / rows : 0;
    int undone = chance(SAVEPOINT_PERCENT) ? random.nextInt(rows) : -1;
    int written = 0;
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO handoff." + recorder + " (key, payload) VALUES (?, ?::json)")) {
      for (int row = 0; row < rows; row++) {
        Thread.sleep(pause);
        Savepoint savepoint = row == undone ? connection.setSavepoint() : null;
        String key = new RowKey(number, transaction, row).toString();
        insert.setString(1, key);
        insert.setString(2, "{\"order\": \"" + key + "\",\n \"amount\": " + row + "}");
        insert.executeUpdate();
        if (savepoint != null) {
          connection.rollback(savepoint);
        } else {
          written |= 1 << row;
        }
      }
    }
    return written;
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }
}
