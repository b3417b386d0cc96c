package dev.recorder.producer.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.recorder.producer.NewRow;
import dev.recorder.testing.HostilePublic;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rows that an application hands over in transactions of its own. */
class LogClientIT {
  private static final LogClient CLIENT = new LogClient("handoff", "orders");

  /** Whatever JSON and its users may write. */
  private static final List<NewRow> ODD =
      List.of(
          new NewRow(null, "{\"n\":\t1}"),
          new NewRow("", "[\n1,\r\n2]"),
          new NewRow("a\\b\t'c'\n", "\"\\n \\\\ \\u00e4 ä 🙂\""),
          new NewRow("NULL", "null"),
          new NewRow("\\N", "{\"a\": \"\\\\N\", \"b\": \"$1 ? :x {y}\"}"));

  private ProducedLog log;
  private Connection connection;

  @BeforeEach
  void create() throws Exception {
    log = new ProducedLog();
    connection = log.connect();
  }

  @AfterEach
  void close() throws Exception {
    connection.close();
    log.close();
  }

  @Test
  @Tag("smoke")
  void eachWayGivesTheNumberUnderWhichTheRowsStand() throws Exception {
    connection.setAutoCommit(false);
    long single = CLIENT.append(connection, "k", "{}");
    assertThat(CLIENT.appendAll(connection, ODD)).isEqualTo(single);
    assertThat(CLIENT.copy(connection, ODD.iterator())).isEqualTo(single);
    connection.commit();

    assertThat(
            log.database.number("SELECT count(*) FROM handoff.orders WHERE xid = '" + single + "'"))
        .isEqualTo(1 + 2 * ODD.size());
  }

  @Test
  void eachStatementIsATransactionInAutoCommitMode() throws Exception {
    long first = CLIENT.append(connection, "k", "{}");
    long second = CLIENT.appendAll(connection, ODD);

    assertThat(second).isGreaterThan(first);
    assertThat(
            log.database.query(
                "SELECT DISTINCT xid::text FROM handoff.orders ORDER BY 1",
                row -> Long.parseLong(row.getString(1))))
        .containsExactlyInAnyOrder(first, second);
  }

  @Test
  void rowsKeepTheirOrderAndEveryCharacter() throws Exception {
    connection.setAutoCommit(false);
    CLIENT.append(connection, ODD.get(2).key(), ODD.get(2).payload());
    CLIENT.appendAll(connection, ODD);
    CLIENT.copy(connection, ODD.iterator());
    connection.commit();

    List<NewRow> expected = new ArrayList<>(List.of(ODD.get(2)));
    expected.addAll(ODD);
    expected.addAll(ODD);
    assertThat(rows()).isEqualTo(expected);
  }

  @Test
  void manyRowsKeepTheirOrder() throws Exception {
    List<NewRow> many =
        IntStream.range(0, 20_000)
            .mapToObj(i -> new NewRow("k" + i, "{\"n\": " + i + "}"))
            .toList();
    connection.setAutoCommit(false);
    CLIENT.copy(connection, many.iterator());
    CLIENT.appendAll(connection, many);
    connection.commit();

    assertThat(rows().subList(0, 20_000)).isEqualTo(many);
    assertThat(rows().subList(20_000, 40_000)).isEqualTo(many);
  }

  @Test
  void whatIsRolledBackWasNeverHandedOver() throws Exception {
    connection.setAutoCommit(false);
    CLIENT.append(connection, "k", "{}");
    CLIENT.copy(connection, ODD.iterator());
    connection.rollback();

    assertThat(rows()).isEmpty();
  }

  @Test
  void whatIsNoJsonIsTheCallersToHear() throws Exception {
    connection.setAutoCommit(false);
    NewRow bad = new NewRow("k", "{");
    assertThatThrownBy(() -> CLIENT.copy(connection, List.of(ODD.get(0), bad).iterator()))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("json");
    connection.rollback();
    CLIENT.append(connection, "k", "{}");
    connection.commit();

    assertThat(rows()).hasSize(1);
  }

  @Test
  void aSourceOfRowsThatFailsLeavesTheConnectionUsable() throws Exception {
    connection.setAutoCommit(false);
    Iterator<NewRow> failing =
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return true;
          }

          @Override
          public NewRow next() {
            throw new IllegalStateException("the file has ended");
          }
        };
    assertThatIllegalStateException()
        .isThrownBy(() -> CLIENT.copy(connection, failing))
        .withMessage("the file has ended");
    connection.rollback();

    assertThat(CLIENT.copy(connection, ODD.iterator())).isPositive();
  }

  @Test
  void whatCouldNotBeNamedIsRefused() {
    assertThatIllegalStateException()
        .isThrownBy(() -> CLIENT.copy(connection, Collections.emptyIterator()))
        .withMessageContaining("setAutoCommit(false)");
    assertThatIllegalArgumentException().isThrownBy(() -> CLIENT.appendAll(connection, List.of()));
    assertThatIllegalArgumentException().isThrownBy(() -> new LogClient("handoff", "no; name"));
  }

  @Test
  void theConnectionMayBeAPools() throws Exception {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(log.database.jdbcUrl());
    config.setUsername(ProducedLog.PRODUCER);
    config.setPassword(TestDatabase.PASSWORD);
    config.setMaximumPoolSize(1);
    config.setAutoCommit(false);
    try (HikariDataSource pool = new HikariDataSource(config);
        Connection pooled = pool.getConnection()) {
      CLIENT.appendAll(pooled, ODD);
      CLIENT.copy(pooled, ODD.iterator());
      pooled.commit();
    }
    assertThat(rows()).hasSize(2 * ODD.size());
  }

  @Test
  void whateverPathAnApplicationHasNothingOfOthersIsCalled() throws Exception {
    HostilePublic hostile = HostilePublic.plant(log.database, HostilePublic.Path.PUBLIC_FIRST);
    try (Connection application = log.connect()) {
      application.setAutoCommit(false);
      CLIENT.append(application, "k", "{}");
      CLIENT.appendAll(application, ODD);
      CLIENT.copy(application, ODD.iterator());
      application.commit();
    }

    assertThat(hostile.sprung()).isEmpty();
  }

  private List<NewRow> rows() throws SQLException {
    return log.database.query(
        "SELECT key, payload::text FROM handoff.orders ORDER BY id",
        row -> new NewRow(row.getString(1), row.getString(2)));
  }
}
