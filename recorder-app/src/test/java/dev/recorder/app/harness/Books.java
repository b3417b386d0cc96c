package dev.recorder.app.harness;

import dev.recorder.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The books of all producers: what each recorder has to have recorded. Thread-safe. */
public final class Books {
  private final List<String> recorders;
  private final List<Book> books = new CopyOnWriteArrayList<>();

  /** Of those who insert for one recorder. */
  public Books() {
    this(List.of(Cluster.RECORDER));
  }

  public Books(List<String> recorders) {
    this.recorders = recorders;
  }

  /** A new one, for one more producer. */
  synchronized Book open() {
    Book book = new Book(books.size());
    books.add(book);
    return book;
  }

  List<String> recorders() {
    return recorders;
  }

  List<Book> all() {
    return books;
  }

  /** Number of rows whose commits are known. */
  public long rows() {
    return IntStream.range(0, recorders.size()).mapToLong(this::rows).sum();
  }

  long rows(int recorder) {
    return books.stream().mapToLong(book -> book.rowsOf(recorder)).sum();
  }

  /** Number of rows that were inserted and rolled back. */
  public long rowsRolledBack() {
    return books.stream().mapToLong(Book::undone).sum();
  }

  /** The longest time since {@code nanos} in which no producer had a commit confirmed. */
  public Duration longestPauseSince(long nanos) {
    long[] commits =
        books.stream()
            .flatMapToLong(Books::confirmations)
            .map(confirmed -> confirmed - nanos)
            .filter(after -> after > 0)
            .sorted()
            .toArray();
    long longest = 0;
    long last = 0;
    for (long commit : commits) {
      longest = Math.max(longest, commit - last);
      last = commit;
    }
    return Duration.ofNanos(Math.max(longest, System.nanoTime() - nanos - last));
  }

  private static LongStream confirmations(Book book) {
    return IntStream.range(0, book.size())
        .filter(book::isCommitted)
        .mapToLong(book::ended)
        .filter(ended -> ended < Long.MAX_VALUE);
  }

  /**
   * The database that producers knew has been replaced by one that may have lost some commits. What
   * is there then, {@link #resolve} asks the other.
   */
  public void doubtAll() {
    books.forEach(Book::doubt);
  }

  /**
   * Asks the database for what producers do not know, such as commits without an answer; and
   * whether it has what they do know: else nothing would be proved. Nothing may insert any more.
   */
  void resolve(TestDatabase database, Consumer<String> faults) throws SQLException {
    for (int recorder = 0; recorder < recorders.size(); recorder++) {
      String table = "handoff." + recorders.get(recorder);
      resolve(recorder, keysIn(table, database, openRows(recorder)), faults);
      long there = database.number("SELECT count(*) FROM " + table);
      if (there != rows(recorder)) {
        faults.accept(table + " has " + there + " rows and the books " + rows(recorder));
      }
    }
  }

  private void resolve(int recorder, Set<String> there, Consumer<String> faults) {
    for (RowName key : openRows(recorder)) {
      Book book = books.get(key.producer());
      boolean committed = there.contains(key.toString());
      if (book.isOpen(key.transaction())) {
        book.resolve(key.transaction(), committed);
      } else if (book.isCommitted(key.transaction()) != committed) {
        faults.accept("transaction of " + key + " is there in part: not the recorder's fault");
      }
    }
  }

  private List<RowName> openRows(int recorder) {
    List<RowName> keys = new ArrayList<>();
    for (Book book : books) {
      IntStream.range(0, book.size())
          .filter(i -> book.isOpen(i) && book.recorder(i) == recorder)
          .forEach(i -> addRows(keys, book, i));
    }
    return keys;
  }

  private static void addRows(List<RowName> keys, Book book, int transaction) {
    for (int row = 0; row < Book.MOST_ROWS; row++) {
      if ((book.rows(transaction) >>> row & 1) == 1) {
        keys.add(new RowName(book.number(), transaction, row));
      }
    }
  }

  /** Which rows are in a table; what is kept tells, and nothing clears it. */
  private static Set<String> keysIn(String table, TestDatabase database, List<RowName> keys)
      throws SQLException {
    Set<String> present = new HashSet<>();
    try (Connection connection = database.connectAsSuperuser();
        PreparedStatement select =
            connection.prepareStatement("SELECT key FROM " + table + " WHERE key = ANY(?)")) {
      select.setArray(
          1, connection.createArrayOf("text", keys.stream().map(RowName::toString).toArray()));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          present.add(row.getString(1));
        }
      }
    }
    return present;
  }
}
