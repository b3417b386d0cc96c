package dev.recorder.capture.postgres;

import dev.recorder.capture.CaptureNames;
import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.ColumnChoice;
import dev.recorder.capture.OldImage;
import dev.recorder.capture.postgres.Captures.WantedCapture;
import dev.recorder.capture.postgres.catalog.CaptureFinding;
import dev.recorder.handoff.RecorderKind;
import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.schema.HandoffTable;
import dev.recorder.schema.Schema;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.testing.servers.TestSettings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * A database with the log {@code orders} and the requests {@code accounts}, as an administrator
 * sets it up, and an application that owns its tables and knows nothing of a recorder.
 */
public final class CaptureSite implements AutoCloseable {
  public static final RecorderName ORDERS = new RecorderName("orders");
  public static final CaptureNames NAMES = new CaptureNames(SchemaNames.DEFAULT);

  /** Of requests. */
  public static final RecorderName ACCOUNTS = new RecorderName("accounts");

  public static final String APPLICATION = "capture_shop";

  public final TestDatabase database;
  public final Connection application;

  public CaptureSite() throws SQLException {
    database = TestDatabase.prepared(CaptureSite.class, CaptureSite::made);
    database.server().createRole(APPLICATION, TestDatabase.PASSWORD);
    database.execute(
        "GRANT CREATE, USAGE ON SCHEMA public TO " + APPLICATION,
        "GRANT CREATE, TEMPORARY ON DATABASE " + database.name() + " TO " + APPLICATION);
    application = connect();
  }

  private static TestDatabase made() throws SQLException {
    TestDatabase made = TestDatabase.create();
    HandoffTable orders = new HandoffTable(ORDERS, RecorderKind.LOG, 16 << 20);
    HandoffTable accounts = new HandoffTable(ACCOUNTS, RecorderKind.REQUESTS, 16 << 20);
    made.execute(
        new Schema(SchemaNames.DEFAULT).script(TestDatabase.ROLE, List.of(orders, accounts)));
    return made;
  }

  /** Another connection of the application. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(database.jdbcUrl(), APPLICATION, TestDatabase.PASSWORD);
  }

  /** Statements of the application. */
  public void run(String... statements) throws SQLException {
    try (Statement statement = application.createStatement()) {
      statement.setEscapeProcessing(false);
      for (String each : statements) {
        statement.execute(each);
      }
    }
  }

  /** The captures, as the administrator sees them. */
  public Captures captures() {
    return Captures.open(
        new Sessions(TestSettings.as(PostgresServer.SUPERUSER, database), "admin"),
        TestDatabase.ROLE);
  }

  public void capture(String table) throws Exception {
    capture(table, CaptureOptions.USUAL);
  }

  public void capture(String table, OldImage old) throws Exception {
    capture(table, old, false);
  }

  public void capture(String table, OldImage old, boolean again) throws Exception {
    capture(table, new CaptureOptions(ColumnChoice.ALL, null, null, old), again);
  }

  public void capture(String table, CaptureOptions options) throws Exception {
    capture(table, options, false);
  }

  public void capture(String table, CaptureOptions options, boolean again) throws Exception {
    try (Captures captures = captures()) {
      captures.add(new WantedCapture(ORDERS, table, options), again);
    }
  }

  /** As usual, with the triggers made anew. */
  public void again(String table) throws Exception {
    capture(table, CaptureOptions.USUAL, true);
  }

  public void snapshot(String table) throws Exception {
    try (Captures captures = captures()) {
      captures.snapshot(ORDERS, table, false, (rows, percent) -> {});
    }
  }

  public void remove(String table) throws Exception {
    try (Captures captures = captures()) {
      captures.remove(ORDERS, table);
    }
  }

  /** What is found that loses changes. */
  public List<String> losses() {
    return losses(captures());
  }

  static List<String> losses(Captures opened) {
    try (Captures captures = opened) {
      return captures.check().stream()
          .filter(CaptureFinding::losesChanges)
          .map(CaptureFinding::text)
          .toList();
    }
  }

  /** Has changes of a table ask for the documents of these entities. */
  public void captureEntities(String table, String entity) throws Exception {
    try (Captures captures = captures()) {
      captures.add(
          new WantedCapture(ACCOUNTS, table, CaptureOptions.ofDocuments(entity, null)), false);
    }
  }

  /** The entities that were asked for, in order, and none from now on. */
  public List<String> asked() throws SQLException {
    List<String> asked =
        database.query(
            "SELECT entity_id FROM handoff.accounts WHERE request_type = 'update'"
                + " AND payload IS NULL ORDER BY entity_id",
            row -> row.getString(1));
    database.execute("DELETE FROM handoff.accounts");
    return asked;
  }

  /** What the log is to have, in the order of a replay, without numbers and oids. */
  public List<String> changes() throws SQLException {
    return database.query(
        "SELECT regexp_replace(regexp_replace(replace(payload::text,"
            + " '\"by\":\"recorder_capture\",', ''), '\"seq\":[0-9]+,?', ''),"
            + " '\"relation\":[0-9]+,?', '')"
            + " FROM handoff.orders ORDER BY (payload->>'seq')::bigint, id",
        row -> row.getString(1).replaceAll("\\{?,}$", "}"));
  }

  /** The same without what was told of columns. */
  public List<String> rows() throws SQLException {
    return changes().stream().filter(change -> !change.contains("\"op\":\"schema\"")).toList();
  }

  /** The operations among them. */
  public List<String> ops() throws SQLException {
    return database.query(
        "SELECT payload->>'op' FROM handoff.orders WHERE payload->>'op' <> 'schema'"
            + " ORDER BY (payload->>'seq')::bigint, id",
        row -> row.getString(1));
  }

  @Override
  public void close() throws SQLException {
    application.close();
    database.close();
  }
}
