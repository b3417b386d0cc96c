package dev.recorder.app.harness.proof;

import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Receipts;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
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

  /** The same of one of them. */
  public long rows(String recorder) {
    return rows(recorders.indexOf(recorder));
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
   * Asks the database for what producers do not know, such as commits without an answer: their
   * {@link Receipts} tell, also of rows that are in the table no more. And whether it has what they
   * do know: else nothing would be proved. Nothing may insert any more.
   */
  void resolve(TestDatabase database, Consumer<String> faults) throws SQLException {
    resolveOpen(database);
    for (int recorder = 0; recorder < recorders.size(); recorder++) {
      String name = recorders.get(recorder);
      long known = rows(recorder);
      long received = Receipts.rows(database, recorder);
      if (received != known) {
        faults.accept(
            "%s: the receipts tell of %d rows and the books of %d"
                .formatted(name, received, known));
      }
      Holdings holdings = Holdings.of(database, name);
      if (holdings.rows() != known) {
        faults.accept(
            "handoff.%s has %d rows, %d were cleared, and the books have %d"
                .formatted(name, holdings.kept(), holdings.cleared(), known));
      }
    }
  }

  private void resolveOpen(TestDatabase database) throws SQLException {
    List<Long> open = new ArrayList<>();
    for (Book book : books) {
      open(book).forEach(i -> open.add(book.receipt(i)));
    }
    Set<Long> present = open.isEmpty() ? Set.of() : Receipts.present(database, open);
    for (Book book : books) {
      open(book).forEach(i -> book.resolve(i, present.contains(book.receipt(i))));
    }
  }

  private static IntStream open(Book book) {
    return IntStream.range(0, book.size()).filter(book::isOpen);
  }
}
