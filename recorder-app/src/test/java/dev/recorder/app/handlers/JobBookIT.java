package dev.recorder.app.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.RecorderName;
import dev.recorder.requests.Request;
import dev.recorder.requests.RequestType;
import dev.recorder.requests.WorkUnit;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The book that a storm is judged by sees two units of one entity, and takes no others for that.
 */
class JobBookIT {
  private TestDatabase database;
  private JobBook book;
  private Connection one;
  private Connection two;

  @BeforeEach
  void open() throws SQLException {
    database = TestDatabase.createOwned();
    database.execute("CREATE SCHEMA proof");
    database.execute(JobBook.TABLES.toArray(String[]::new));
    database.execute(
        "GRANT ALL ON SCHEMA proof TO PUBLIC", "GRANT ALL ON ALL TABLES IN SCHEMA proof TO PUBLIC");
    book = JobBook.of(database.jdbcUrl(), TestDatabase.ROLE, TestDatabase.PASSWORD);
    one = database.connect();
    two = database.connect();
  }

  @AfterEach
  void close() throws SQLException {
    one.close();
    two.close();
    database.close();
  }

  @Test
  void twoUnitsThatBothOwnAnEntityOverlap() throws Exception {
    assertThat(book.enter(unit("x", begin(one)))).isTrue();
    assertThat(book.enter(unit("x", begin(two)))).isTrue();
    assertThat(overlaps()).isEqualTo(1);
  }

  @Test
  void aUnitBehindOneThatHasLeftDoesNotOverlapIt() throws Exception {
    WorkUnit first = unit("x", begin(one));
    book.enter(first);
    book.leave(first);
    book.enter(unit("x", begin(two)));
    assertThat(overlaps()).isZero();
  }

  @Test
  void aUnitBehindOneThatHasLostItsRowsDoesNotOverlapIt() throws Exception {
    book.enter(unit("x", begin(one)));
    one.rollback();
    book.enter(unit("x", begin(two)));
    assertThat(overlaps()).isZero();
  }

  @Test
  void unitsOfTwoEntitiesDoNotOverlap() throws Exception {
    book.enter(unit("x", begin(one)));
    book.enter(unit("y", begin(two)));
    assertThat(overlaps()).isZero();
  }

  @Test
  void aUnitThatComesLateIsRefused() throws Exception {
    WorkUnit late = unit("x", begin(one));
    one.rollback();
    book.enter(unit("x", begin(two)));
    assertThat(book.enter(late)).isFalse();
  }

  private static long begin(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    return number(connection, "SELECT pg_current_xact_id()::text");
  }

  private static WorkUnit unit(String entity, long fence) {
    return new WorkUnit(
        new RecorderName("jobs"),
        entity,
        UUID.randomUUID(),
        fence,
        List.of(new Request(1, RequestType.CREATE, "{}", 0)));
  }

  private long overlaps() throws SQLException {
    return number(one, "SELECT count(*) FROM proof.overlaps");
  }

  private static long number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }
}
