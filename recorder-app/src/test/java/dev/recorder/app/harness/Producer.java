package dev.recorder.app.harness;

import dev.recorder.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * An application that inserts rows: mostly short transactions of some, now and then one that takes
 * long, so that others overtake it, one that rolls back to a savepoint, one that rolls back
 * altogether. Its book knows what was committed, and {@link Receipts} what became of the rest.
 */
public final class Producer implements Applications.Work {
  private static final int SAVEPOINT_PERCENT = 15;
  private static final int ROLLED_BACK_PERCENT = 8;
  private static final int MANY_ROWS_PERCENT = 3;
  private static final String INSERT = "INSERT INTO handoff.%s (key, payload) VALUES (?, ?::json)";

  private final Book book;
  private final List<String> recorders;
  private final Haste haste;
  private final Random random;

  /**
   * How long transactions take.
   *
   * @param longPercent how many of a hundred take {@code longest}
   */
  public record Haste(int longPercent, Duration longest) {
    static final Haste USUAL = new Haste(8, Duration.ofMillis(600));
  }

  private Producer(Books books, Haste haste, long seed) {
    this.book = books.open();
    this.recorders = books.recorders();
    this.haste = haste;
    this.random = new Random(seed * 31 + book.number());
  }

  /** So many, for {@link Applications}; what they draw depends on the seed. */
  public static List<Producer> several(int count, Books books, Haste haste, long seed) {
    return Stream.generate(() -> new Producer(books, haste, seed)).limit(count).toList();
  }

  /** So many, usual ones. */
  public static List<Producer> several(int count, Books books) {
    return several(count, books, Haste.USUAL, 1);
  }

  /** Commits one row, and returns its key. */
  public static String insertOne(TestDatabase database, Books books) throws SQLException {
    Book book = books.open();
    int transaction = book.begin(0, System.nanoTime());
    try (Connection connection = database.connect();
        PreparedStatement insert =
            connection.prepareStatement(INSERT.formatted(books.recorders().get(0)))) {
      connection.setAutoCommit(false);
      String key = insert(insert, new RowName(book.number(), transaction, 0));
      Receipts.leave(connection, book, transaction, 1);
      connection.commit();
      book.committed(transaction, 1, System.nanoTime());
      return key;
    }
  }

  @Override
  public void transact(Connection connection) throws SQLException, InterruptedException {
    int recorder = random.nextInt(recorders.size());
    int transaction = book.begin(recorder, System.nanoTime());
    int written = insertSome(connection, transaction, recorders.get(recorder));
    Receipts.leave(connection, book, transaction, Integer.bitCount(written));
    if (chance(ROLLED_BACK_PERCENT)) {
      connection.rollback();
      book.undone(Integer.bitCount(written));
      return;
    }
    try {
      connection.commit();
    } catch (SQLException noAnswer) {
      book.unknown(transaction, written);
      throw noAnswer;
    }
    book.committed(transaction, written, System.nanoTime());
  }

  /** Inserts rows and returns which of them a commit would commit. */
  private int insertSome(Connection connection, int transaction, String recorder)
      throws SQLException, InterruptedException {
    int rows = 1 + random.nextInt(chance(MANY_ROWS_PERCENT) ? Book.MOST_ROWS : 5);
    long pause = chance(haste.longPercent()) ? haste.longest().toMillis() / rows : 0;
    int undone = chance(SAVEPOINT_PERCENT) ? random.nextInt(rows) : -1;
    int written = 0;
    try (PreparedStatement insert = connection.prepareStatement(INSERT.formatted(recorder))) {
      for (int row = 0; row < rows; row++) {
        Thread.sleep(pause);
        Savepoint savepoint = row == undone ? connection.setSavepoint() : null;
        insert(insert, new RowName(book.number(), transaction, row));
        if (savepoint != null) {
          connection.rollback(savepoint);
          book.undone(1);
        } else {
          written |= 1 << row;
        }
      }
    }
    return written;
  }

  private static String insert(PreparedStatement insert, RowName key) throws SQLException {
    insert.setString(1, key.toString());
    insert.setString(2, "{\"order\": \"" + key + "\",\n \"amount\": " + key.row() + "}");
    insert.executeUpdate();
    return key.toString();
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }
}
