package dev.recorder.app.harness.proof;

import dev.recorder.app.harness.Applications;
import dev.recorder.app.harness.Receipts;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
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
  private static final int SLOW_PERCENT = 2;
  private static final int SLOW_MILLIS = 1_500;
  private static final int TEXT_BYTES = 2_000;
  private static final String INSERT = "INSERT INTO handoff.%s (key, payload) VALUES (?, ?::json)";

  /** Draws the row's id first, and opens the table some time after that. */
  private static final String SLOW_INSERT =
      """
      INSERT INTO handoff.%s (key, payload)
      VALUES (?, coalesce(nullif(pg_sleep(%d / 1000.0)::text, ''), ?)::json)
      """;

  private final Book book;
  private final List<String> recorders;
  private final Habits habits;
  private final Random random;

  /**
   * What transactions are like.
   *
   * @param longPercent how many of a hundred take {@code longest}
   * @param wordy recorders whose rows have some kilobytes of text, and now and then are slow to
   *     come
   */
  public record Habits(int longPercent, Duration longest, Set<String> wordy) {
    static final Habits USUAL = new Habits(8, Duration.ofMillis(600), Set.of());
  }

  private Producer(Books books, Habits habits, long seed) {
    this.book = books.open();
    this.recorders = books.recorders();
    this.habits = habits;
    this.random = new Random(seed * 31 + book.number());
  }

  /** So many, for {@link Applications}; what they draw depends on the seed. */
  public static List<Producer> several(int count, Books books, Habits habits, long seed) {
    return Stream.generate(() -> new Producer(books, habits, seed)).limit(count).toList();
  }

  /** So many, usual ones. */
  public static List<Producer> several(int count, Books books) {
    return several(count, books, Habits.USUAL, 1);
  }

  /** Commits one row, and returns its key. */
  public static String insertOne(TestDatabase database, Books books) throws SQLException {
    Book book = books.open();
    int transaction = book.begin(0, System.nanoTime());
    RowName row = new RowName(book.number(), transaction, 0);
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      insert(connection, INSERT.formatted(books.recorders().get(0)), row, "");
      Receipts.leave(connection, book.receipt(transaction), 0, 1);
      connection.commit();
    }
    book.committed(transaction, 1, System.nanoTime());
    return row.toString();
  }

  @Override
  public void transact(Connection connection) throws SQLException, InterruptedException {
    int recorder = random.nextInt(recorders.size());
    int transaction = book.begin(recorder, System.nanoTime());
    int written = insertSome(connection, transaction, recorders.get(recorder));
    Receipts.leave(connection, book.receipt(transaction), recorder, Integer.bitCount(written));
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
    long pause = chance(habits.longPercent()) ? habits.longest().toMillis() / rows : 0;
    int undone = chance(SAVEPOINT_PERCENT) ? random.nextInt(rows) : -1;
    int written = 0;
    for (int row = 0; row < rows; row++) {
      Thread.sleep(pause);
      Savepoint savepoint = row == undone ? connection.setSavepoint() : null;
      insert(connection, recorder, new RowName(book.number(), transaction, row));
      if (savepoint != null) {
        connection.rollback(savepoint);
        book.undone(1);
      } else {
        written |= 1 << row;
      }
    }
    return written;
  }

  private void insert(Connection connection, String recorder, RowName row) throws SQLException {
    boolean wordy = habits.wordy().contains(recorder);
    String sql =
        wordy && chance(SLOW_PERCENT)
            ? SLOW_INSERT.formatted(recorder, random.nextInt(SLOW_MILLIS))
            : INSERT.formatted(recorder);
    insert(connection, sql, row, wordy ? ", \"text\": \"" + text() + "\"" : "");
  }

  private static void insert(Connection connection, String sql, RowName row, String more)
      throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      insert.setString(1, row.toString());
      insert.setString(2, "{\"order\": \"" + row + "\",\n \"amount\": " + row.row() + more + "}");
      insert.executeUpdate();
    }
  }

  /** Of any length, so that some of it is stored beside the table; it cannot be compressed. */
  private String text() {
    byte[] bytes = new byte[random.nextInt(TEXT_BYTES)];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }
}
