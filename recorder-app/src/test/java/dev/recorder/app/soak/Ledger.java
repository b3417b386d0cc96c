package dev.recorder.app.soak;

import dev.recorder.testing.TestDatabase;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The books of all applications, complete: what each recorder has to have recorded. */
final class Ledger {
  private final List<Book> books;
  private final List<String> recorders;

  Ledger(List<Book> books, List<String> recorders) {
    this.books = books;
    this.recorders = recorders;
  }

  Book book(int application) {
    return books.get(application);
  }

  int applications() {
    return books.size();
  }

  /** Number of committed rows of a recorder. */
  long rows(int recorder) {
    long rows = 0;
    for (Book book : books) {
      for (int i = 0; i < book.size(); i++) {
        if (book.isCommitted(i) && book.recorder(i) == recorder) {
          rows += Integer.bitCount(book.rows(i));
        }
      }
    }
    return rows;
  }

  /**
   * Asks the database for what applications do not know: commits without an answer. Nothing may
   * insert any more.
   *
   * @return how many there were
   */
  int resolve(TestDatabase database, Journal journal) throws SQLException {
    int unknown = 0;
    try (Connection connection = database.connectAsSuperuser()) {
      for (int recorder = 0; recorder < recorders.size(); recorder++) {
        unknown += resolve(connection, recorder, journal);
        checkCount(connection, recorder, journal);
      }
    }
    return unknown;
  }

  private int resolve(Connection connection, int recorder, Journal journal) throws SQLException {
    List<RowKey> asked = new ArrayList<>();
    for (int application = 0; application < books.size(); application++) {
      Book book = books.get(application);
      for (int i = 0; i < book.size(); i++) {
        if (book.isUnknown(i) && book.recorder(i) == recorder) {
          addRows(asked, application, i);
        }
      }
    }
    Set<String> there = present(connection, recorders.get(recorder), asked);
    int unknown = 0;
    for (RowKey key : asked) {
      Book book = books.get(key.application());
      boolean committed = there.contains(key.toString());
      if (book.isUnknown(key.transaction())) {
        book.resolve(key.transaction(), committed);
        unknown++;
      } else if (book.isCommitted(key.transaction()) != committed) {
        journal.blame("transaction of %s is there in part: not the recorder's fault", key);
      }
    }
    return unknown;
  }

  private void addRows(List<RowKey> keys, int application, int transaction) {
    int rows = books.get(application).rows(transaction);
    for (int row = 0; row < Book.MOST_ROWS; row++) {
      if ((rows >>> row & 1) == 1) {
        keys.add(new RowKey(application, transaction, row));
      }
    }
  }

  private static Set<String> present(Connection connection, String recorder, List<RowKey> keys)
      throws SQLException {
    Set<String> present = new HashSet<>();
    Array array = connection.createArrayOf("text", keys.stream().map(RowKey::toString).toArray());
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT key FROM handoff." + recorder + " WHERE key = ANY(?)")) {
      select.setArray(1, array);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          present.add(row.getString(1));
        }
      }
    }
    return present;
  }

  /** The database must have what applications were told it has: else the soak proves nothing. */
  private void checkCount(Connection connection, int recorder, Journal journal)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT count(*) FROM handoff." + recorders.get(recorder))) {
      row.next();
      if (row.getLong(1) != rows(recorder)) {
        journal.blame(
            "handoff.%s has %d rows and the ledger %d",
            recorders.get(recorder), row.getLong(1), rows(recorder));
      }
    }
  }
}
