package dev.recorder.requests.worker;

import static dev.recorder.testing.Patience.A_MINUTE;
import static dev.recorder.testing.Patience.await;

import dev.recorder.capture.CaptureOptions;
import dev.recorder.capture.postgres.Captures;
import dev.recorder.handoff.RecorderName;
import dev.recorder.memory.MemoryBudget;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.requests.document.StoredDocument;
import dev.recorder.schema.Schema;
import dev.recorder.store.ObjectStore;
import dev.recorder.testing.servers.MemoryStore;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.TestDatabase;
import dev.recorder.testing.servers.TestSettings;
import dev.recorder.time.FatalErrorHandler;
import dev.recorder.time.Supervision;
import dev.recorder.time.Ticker;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Orders with lines and shared addresses, of which the recorder {@code accounts} keeps a document
 * each, on one machine.
 */
final class Orders implements AutoCloseable {
  static final RecorderName NAME = Accounts.LAYOUT.recorder();

  static final String QUERY =
      """
      SELECT o.id, o.note, a.street, (SELECT json_agg(l.sku ORDER BY l.id)
        FROM public.line l WHERE l.order_id = o.id) AS lines
      FROM public.orders o LEFT JOIN public.address a ON a.id = o.address_id WHERE o.id = :entity\
      """
          .replace('\n', ' ');

  final MemoryStore bucket = new MemoryStore();
  final Accounts.Hosted accounts;

  Orders(String query) throws Exception {
    this(query, A_MINUTE, 16 << 20);
  }

  Orders(String query, Duration limit, int mostBytes) throws Exception {
    accounts =
        new Accounts.Hosted(
            bucket,
            MemoryBudget.unlimited(),
            new Supervision(Ticker.system(), FatalErrorHandler.IGNORED));
    readers(accounts.database);
    run(
        "CREATE TABLE public.address (id int PRIMARY KEY, street text)",
        "CREATE TABLE public.orders (id int PRIMARY KEY, address_id int, note text)",
        "CREATE TABLE public.line (id int PRIMARY KEY, order_id int, sku text)");
    accounts.add(
        BackEndSettings.of(
                Accounts.LOCK_ID,
                Accounts.LAYOUT,
                new BackEndSettings.BackEndCapacity(4, limit, 20))
            .history(Duration.ofHours(1))
            .maxPayload(mostBytes)
            .query(query)
            .build());
    capture("orders", "id");
    capture("line", "order_id");
    capture("address", "SELECT o.id FROM public.orders o WHERE o.address_id = address.id");
  }

  /** What an administrator sets up for queries; whatever is made may be read by them. */
  static void readers(TestDatabase database) throws SQLException {
    database.execute(new Schema(SchemaNames.DEFAULT).script(TestDatabase.ROLE, List.of()));
    database.execute(
        "GRANT USAGE, CREATE ON SCHEMA recorder, handoff TO " + TestDatabase.ROLE,
        "GRANT USAGE ON SCHEMA public TO recorder_reader",
        "ALTER DEFAULT PRIVILEGES FOR ROLE "
            + TestDatabase.ROLE
            + " IN SCHEMA public GRANT SELECT ON TABLES TO recorder_reader");
  }

  void capture(String table, String entity) throws Exception {
    try (Captures captures =
        Captures.open(
            new Sessions(
                TestSettings.as(PostgresServer.SUPERUSER, accounts.database), "administrator"),
            TestDatabase.ROLE)) {
      captures.add(
          new Captures.WantedCapture(NAME, table, CaptureOptions.ofDocuments(entity, null)), false);
    }
  }

  void run(String... statements) throws SQLException {
    for (String statement : statements) {
      accounts.run(statement);
    }
  }

  /** Until no request is open. */
  void awaitRest() {
    await()
        .until(
            () ->
                accounts
                    .text("SELECT count(*) FROM handoff.accounts WHERE request_status = 'new'")
                    .equals("0"));
  }

  /** Another connection of the application. */
  Connection connect() throws SQLException {
    return accounts.database.connect();
  }

  static void run(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    }
  }

  /** As it lies in the bucket; empty if there is none. */
  String document(String entity) {
    ObjectStore.Body body = bucket.objects().get(key(entity));
    return body == null
        ? ""
        : StoredDocument.read(body.bytes(), body.metadata()).orElseThrow().text();
  }

  Map<String, String> metadata(String entity) {
    return bucket.objects().get(key(entity)).metadata();
  }

  static String key(String entity) {
    return "p/accounts/" + entity + ".json";
  }

  /** What is said of requests that are not complete, or were tried again. */
  List<String> errors() throws SQLException {
    return accounts.database.query(
        "SELECT concat(request_status, ': ', error_text) FROM handoff.accounts"
            + " WHERE error_text IS NOT NULL ORDER BY id",
        row -> row.getString(1));
  }

  @Override
  public void close() throws SQLException {
    accounts.close();
  }
}
