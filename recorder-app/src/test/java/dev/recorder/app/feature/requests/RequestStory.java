package dev.recorder.app.feature.requests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.recorder.app.feature.ClusterStory;
import dev.recorder.app.harness.Cluster;
import dev.recorder.app.harness.Cluster.Recording;
import dev.recorder.app.harness.Cluster.Wiring;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.proof.RequestOracle;
import dev.recorder.app.harness.proof.RequestProof;
import dev.recorder.app.harness.proof.StatusJournal;
import dev.recorder.testing.network.HttpTap;
import dev.recorder.testing.servers.PostgresServer;
import dev.recorder.testing.servers.S3Server;
import dev.recorder.testing.servers.TestDatabase;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * What stories about requests share: hosts with one recorder of requests, called {@link #RECORDER},
 * the table as a front end sees it, and the end, at which each request must have had its effect.
 */
final class RequestStory extends ClusterStory {
  static final String RECORDER = "accounts";
  private static final Duration START_WITHIN = Duration.ofMinutes(3);
  private static final S3Server STORE = S3Server.start();

  private final String particulars;
  private final Set<String> confirmed = new HashSet<>();
  private Connection connection;

  /** A row, as far as stories ask for it. */
  record Row(
      String status,
      @Nullable String process,
      int attempts,
      int deaths,
      @Nullable String begunBy,
      @Nullable String error) {

    boolean isComplete() {
      return status.equals("complete");
    }
  }

  /**
   * @param particulars further lines of the recorder's section
   */
  RequestStory(String particulars) {
    this.particulars = particulars;
  }

  @Override
  protected Cluster open() throws SQLException {
    Cluster cluster =
        Cluster.on(
            PostgresServer.shared(),
            STORE,
            Wiring.BY_PROXIES,
            Recording.ofRequests(
                "[recorder:" + RECORDER + "]\nlockid = 1\nkind = requests\n" + particulars + "\n"));
    connection = cluster.database().connectAsSuperuser();
    return cluster;
  }

  @Override
  protected void leave() throws SQLException {
    connection.close();
  }

  /** Starts hosts, and returns when all of them look for requests. */
  void begin(Host... hosts) throws SQLException, InterruptedException {
    for (Host host : hosts) {
      host.start();
    }
    for (Host host : hosts) {
      host.awaitLog("processing requests", START_WITHIN);
      host.awaitLog("registered as", START_WITHIN);
    }
    StatusJournal.open(cluster().database(), List.of(RECORDER));
  }

  long create(String entity, String payload) throws SQLException {
    return insert("create", entity, payload);
  }

  long update(String entity, String payload) throws SQLException {
    return insert("update", entity, payload);
  }

  private synchronized long insert(String type, String entity, String payload) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO handoff.accounts (request_type, entity_id, payload)"
                + " VALUES (?, ?, ?::json) RETURNING id")) {
      insert.setString(1, type);
      insert.setString(2, entity);
      insert.setString(3, payload);
      try (ResultSet row = insert.executeQuery()) {
        row.next();
        confirmed.add(RequestOracle.name(RECORDER, row.getLong(1)));
        return row.getLong(1);
      }
    }
  }

  synchronized Row row(long id) throws SQLException {
    return TestDatabase.query(
            connection,
            "SELECT request_status, process_id, attempts, deaths, begun_by, error_text"
                + " FROM handoff.accounts WHERE id = "
                + id,
            row ->
                new Row(
                    row.getString(1),
                    row.getString(2),
                    row.getInt(3),
                    row.getInt(4),
                    row.getString(5),
                    row.getString(6)))
        .get(0);
  }

  /** The first state of a row that fits. */
  Row await(long id, Duration deadline, Predicate<Row> fits) {
    return Awaitility.await("request " + id)
        .atMost(deadline)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> row(id), fits);
  }

  /** Waits until a request is complete. */
  Row awaitComplete(long id, Duration deadline) {
    return await(id, deadline, Row::isComplete);
  }

  /** The host that has begun a request. */
  Host workerOf(long id, Duration deadline) {
    String machine = String.valueOf(await(id, deadline, row -> row.begunBy() != null).begunBy());
    return cluster().hosts().stream()
        .filter(host -> host.name().equals(machine))
        .findFirst()
        .orElseThrow();
  }

  /** Whether somebody holds a row that could be locked otherwise. */
  boolean isLocked(long id) throws SQLException {
    return cluster()
            .database()
            .number(
                "SELECT count(*) FROM (SELECT FROM handoff.accounts WHERE id = "
                    + id
                    + " FOR UPDATE SKIP LOCKED) s")
        == 0;
  }

  /** When the sessions of the hosts began their latest statements, by application name. */
  synchronized Map<String, Set<String>> statements() throws SQLException {
    Map<String, Set<String>> statements = new TreeMap<>();
    TestDatabase.query(
        connection,
        "SELECT application_name, pid || ' ' || query_start FROM pg_stat_activity"
            + " WHERE datname = current_database() AND application_name LIKE 'recorder/%'",
        row ->
            statements
                .computeIfAbsent(row.getString(1), any -> new HashSet<>())
                .add(row.getString(2)));
    return statements;
  }

  private String key(String entity) {
    return "recorded/" + RECORDER + "/" + entity + ".json";
  }

  /** Whether a request writes the document of an entity. */
  Predicate<HttpTap.Request> putOf(String entity) {
    return request -> request.method().equals("PUT") && request.path().endsWith(key(entity));
  }

  /** How many PUTs of an entity's document have begun. */
  long puts(String entity) {
    return tap().requests().stream().filter(putOf(entity)).count();
  }

  /** An entity's document, read past the product. */
  JsonNode document(String entity) throws IOException {
    return new ObjectMapper().readTree(bytes(entity));
  }

  byte[] bytes(String entity) {
    return STORE.read(cluster().bucketName(), key(entity));
  }

  /** The unit that has written an entity's document. */
  String writer(String entity) {
    return STORE.metadata(cluster().bucketName(), key(entity)).getOrDefault("process", "nobody");
  }

  /** That hosts stop, and each request was settled once and stands in its document. */
  void end() throws SQLException {
    stopHosts(cluster());
    List<String> faults = new ArrayList<>();
    RequestProof proof =
        new RequestOracle(cluster().database(), List.of(RECORDER), faults::add)
            .examine(confirmed, RECORDER, cluster().documents(RECORDER));
    assertThat(proof.holds()).as("%s: %s", proof, faults).isTrue();
  }
}
