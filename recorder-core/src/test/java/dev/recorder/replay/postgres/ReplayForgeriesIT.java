package dev.recorder.replay.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.handoff.ChangeMark;
import dev.recorder.replay.ReplayResult;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of producers that look like captured changes: rows are all that they are. */
class ReplayForgeriesIT {
  private static final String FORGER = "forger";
  private static final String MARK = ChangeMark.TEXT + ",";
  private static final String TRUNCATE =
      "\"op\":\"truncate\",\"table\":\"public.account\",\"seq\":999999}";

  private ReplaySite site;
  private Connection forger;

  @BeforeEach
  void setUp() throws Exception {
    site = new ReplaySite();
    TestDatabase database = site.source.database;
    database.server().createRole(FORGER, TestDatabase.PASSWORD);
    database.execute(
        "GRANT USAGE ON SCHEMA handoff TO " + FORGER,
        "GRANT INSERT (key, payload) ON handoff.orders TO " + FORGER);
    forger = DriverManager.getConnection(database.jdbcUrl(), FORGER, TestDatabase.PASSWORD);
    site.account();
    site.change("insert", "public.account", ReplaySite.account(1, "a"));
  }

  @AfterEach
  void close() throws Exception {
    forger.close();
    site.close();
  }

  private void write(String payload) throws SQLException {
    run("INSERT INTO handoff.orders (payload) VALUES ('" + payload + "')");
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = forger.createStatement()) {
      statement.setEscapeProcessing(false);
      statement.execute(sql);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"op\":\"insert\",\"table\":\"x\",\"seq\":1}",
        "{" + TRUNCATE,
        " " + MARK + TRUNCATE,
        "\n" + MARK + TRUNCATE,
        "{ \"by\":\"recorder_capture\"," + TRUNCATE,
        "{\"by\" : \"recorder_capture\"," + TRUNCATE,
        "{\"x\":1,\"by\":\"recorder_capture\"," + TRUNCATE,
        "{\"b\\u0079\":\"recorder_capture\"," + TRUNCATE,
        "{\"op\":\"schema\",\"table\":\"public.account\",\"seq\":5,\"columns\":[{\"name\":7}]}",
        "{\"id\":7,\"op\":\"delete\",\"table\":\"four\",\"seq\":2}"
      })
  void whatAProducerWritesChangesNoTable(String payload) throws Exception {
    write(payload);
    site.source.record(1);

    ReplayResult result = site.replay();

    assertThat(result.rows()).isEqualTo(3);
    assertThat(result.changes()).isEqualTo(2);
    assertThat(result.lookAlikes()).isOne();
    assertThat(site.accounts()).containsExactly("1=a");
    assertThat(site.replay().lookAlikes()).as("told once").isZero();
  }

  @Test
  void rowsThatAreLikeNoChangeAreNotCounted() throws Exception {
    write("{\"op\":\"insert\",\"table\":\"x\"}");
    write("7");
    site.source.record(1);

    assertThat(site.replay().lookAlikes()).isZero();
  }

  @Test
  void itCannotWriteTheMark() throws Exception {
    assertThatThrownBy(() -> write(MARK + TRUNCATE))
        .hasMessageContaining("permission denied for schema recorder");
    site.source.database.execute("GRANT USAGE ON SCHEMA recorder TO " + FORGER);
    assertRefused("INSERT INTO handoff.orders (payload) VALUES ('" + MARK + TRUNCATE + "')");
    assertRefused(
        "INSERT INTO handoff.orders (payload) SELECT p::json FROM unnest(ARRAY['{}', '"
            + MARK
            + TRUNCATE
            + "']) p");
    assertRefused(
        "INSERT INTO handoff.orders (payload) SELECT row_to_json(c) FROM"
            + " (SELECT 'recorder_capture' AS by) c");
    site.source.database.execute("DROP SEQUENCE recorder.capture_orders_seq");
    assertRefused("INSERT INTO handoff.orders (payload) VALUES ('" + MARK + TRUNCATE + "')");
  }

  private void assertRefused(String sql) {
    assertThatThrownBy(() -> run(sql)).hasMessageContaining("only_captures_write_changes");
  }

  /** As the apply workers of a subscription do, which no ordinary role can pretend to be. */
  @Test
  void aLogicalReplicationBringsMarkedRows() throws Exception {
    site.source.database.execute(
        "DROP SEQUENCE recorder.capture_orders_seq",
        "SET session_replication_role = replica",
        "INSERT INTO handoff.orders (payload) VALUES ('" + MARK + TRUNCATE + "')",
        "RESET session_replication_role");
    site.source.record(1);

    assertThat(site.replay().changes()).isEqualTo(3);
    assertThat(site.accounts()).isEmpty();
  }
}
