package dev.recorder.app.harness.proof;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.recorder.app.harness.Receipts;
import dev.recorder.app.harness.proof.Book.State;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What books learn from a database that may have cleared rows away; tables have what they need. */
class BooksIT {
  private final Books books = new Books();
  private final Book book = books.open();
  private final List<String> faults = new ArrayList<>();
  private TestDatabase database;

  @BeforeEach
  void create() throws SQLException {
    database = TestDatabase.createOwned();
    Receipts.createIn(database);
    database.execute(
        "CREATE SCHEMA handoff",
        "CREATE TABLE handoff.orders (key text)",
        "CREATE SCHEMA recorder",
        "CREATE TABLE recorder.lock_recorders (lock_id int, recorder text)",
        "INSERT INTO recorder.lock_recorders VALUES (1, 'orders')",
        "CREATE TABLE recorder.blocks (lock_id int, cleared_rows bigint)",
        "INSERT INTO recorder.blocks VALUES (1, 0)");
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @Test
  void aCommitWithoutAnAnswerIsKnownAlsoWhenItsRowsWereClearedAway() throws Exception {
    int committed = transact(2, true);
    int rolledBack = transact(3, false);
    book.unknown(committed, 0b11);
    book.unknown(rolledBack, 0b111);
    clear(2, 2);

    books.resolve(database, faults::add);

    assertThat(faults).isEmpty();
    assertThat(book.state(committed)).isEqualTo(State.COMMITTED);
    assertThat(book.state(rolledBack)).isEqualTo(State.ROLLED_BACK);
    assertThat(books.rows()).isEqualTo(2);
    assertThat(books.rowsRolledBack()).isEqualTo(3);
  }

  @Test
  void rowsThatWentWithoutANoteAreAFault() throws Exception {
    book.committed(transact(3, true), 0b111, 10);
    clear(2, 1);

    books.resolve(database, faults::add);

    assertThat(faults)
        .singleElement(as(STRING))
        .contains("handoff.orders has 1 rows, 1 were cleared, and the books have 3");
  }

  @Test
  void aCommitThatTheDatabaseDoesNotHaveIsAFault() throws Exception {
    book.committed(transact(1, false), 0b1, 10);

    books.resolve(database, faults::add);

    assertThat(faults)
        .hasSize(2)
        .first(as(STRING))
        .contains("the receipts tell of 0 rows and the books of 1");
  }

  private int transact(int rows, boolean commits) throws SQLException {
    int transaction = book.begin(0, 1);
    try (Connection connection = database.connectAsSuperuser();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (int row = 0; row < rows; row++) {
        RowName name = new RowName(book.number(), transaction, row);
        statement.execute("INSERT INTO handoff.orders VALUES ('" + name + "')");
      }
      Receipts.leave(connection, book.receipt(transaction), book.recorder(transaction), rows);
      if (commits) {
        connection.commit();
      } else {
        connection.rollback();
      }
    }
    return transaction;
  }

  /** So many rows go, and so many are noted. */
  private void clear(int rows, int noted) throws SQLException {
    database.execute(
        "DELETE FROM handoff.orders WHERE ctid IN (SELECT ctid FROM handoff.orders LIMIT "
            + rows
            + ")",
        "UPDATE recorder.blocks SET cleared_rows = " + noted);
  }
}
