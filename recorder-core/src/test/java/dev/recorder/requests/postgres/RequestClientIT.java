package dev.recorder.requests.postgres;

import static dev.recorder.requests.postgres.RequestSite.stateOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.handoff.RecorderKind;
import dev.recorder.postgres.TestSessions;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.requests.postgres.RequestClient.RequestState;
import dev.recorder.schema.HandoffTable;
import dev.recorder.schema.Schema;
import dev.recorder.testing.HostilePublic;
import dev.recorder.testing.servers.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A front end that hands requests over with the rights of producers and no others. */
class RequestClientIT extends OneTable {
  private static final String FRONT_END = "request_client";

  private final RequestClient client = new RequestClient("handoff", "orders");
  private Connection front;

  @BeforeAll
  static void letTheFrontEndIn() throws Exception {
    site.database.server().createRole(FRONT_END, TestDatabase.PASSWORD);
    site.database.execute(
        "DO $$ BEGIN CREATE ROLE recorder_producer NOLOGIN;"
            + " EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$",
        "GRANT recorder_producer TO " + FRONT_END);
    HandoffTable table = new HandoffTable(RequestSite.ORDERS, RecorderKind.REQUESTS, 1_024);
    site.run(new Schema(SchemaNames.DEFAULT).producerGrants(table));
    site.run(table.create(SchemaNames.DEFAULT));
    // As in a table that has no such check.
    site.run("ALTER TABLE handoff.orders DROP CONSTRAINT entity_id_within_1024_bytes");
  }

  @BeforeEach
  void connect() throws Exception {
    front = connectAsFrontEnd();
  }

  @AfterEach
  void disconnect() throws Exception {
    front.close();
  }

  // ---- hostile neighbours

  @Test
  void whateverPathAnApplicationHasNothingOfOthersIsCalled() throws Exception {
    anew(); // What is planted stays, and would be in the way of the others' own questions.
    HostilePublic hostile = HostilePublic.plant(site.database, HostilePublic.Path.PUBLIC_FIRST);
    try (Connection application = connectAsFrontEnd()) {
      long id = client.create(application, "x", "{}");
      client.update(application, "x", null);
      client.wake(application);
      assertThat(client.fate(application, id)).isPresent();
      assertThat(hostile.sprung()).isEmpty();
    } finally {
      anew();
    }
  }

  private static void anew() throws Exception {
    drop();
    createTable();
    letTheFrontEndIn();
  }

  // ---- handing over

  @Test
  void aRequestIsThereWithWhatWasAskedFor() throws Exception {
    long create = client.create(front, "x", "{ \"a\": 1 }");
    long update = client.update(front, "x", null);

    assertThat(update).isGreaterThan(create);
    assertThat(asked(create)).isEqualTo("create x { \"a\": 1 } new");
    assertThat(asked(update)).isEqualTo("update x - new");
    assertThat(site.row(create).attempts()).isZero();
    assertThat(site.row(create).process()).isNull();
  }

  @Test
  void aRequestComesWithItsTransactionAndGoesWithIt() throws Exception {
    front.setAutoCommit(false);
    long rolledBack = client.create(front, "x", "{}");
    assertThat(client.fate(front, rolledBack)).isPresent();
    assertThat(site.rows()).isEmpty();
    front.rollback();
    assertThat(client.fate(front, rolledBack)).isEmpty();
    assertThat(site.rows()).isEmpty();

    long committed = client.create(front, "x", "{}");
    front.commit();
    assertThat(site.rows()).extracting(RequestSite.Row::id).containsExactly(committed);
  }

  @Test
  void anEntityIsCreatedOnce() throws Exception {
    client.create(front, "x", "{}");

    assertThat(stateOf(() -> client.create(front, "x", "{}"))).isEqualTo("23505");
    client.create(front, "X", "{}");
    client.update(front, "x", "{}");
    client.update(front, "x", "{}");
    assertThat(site.rows()).hasSize(4);
  }

  @Test
  void ofTwoThatCreateAnEntityAtOnceTheSecondIsToldWhenTheFirstCommits() throws Exception {
    front.setAutoCommit(false);
    client.create(front, "x", "{}");
    try (Connection second = connectAsFrontEnd()) {
      RequestSite.run(second, "SET lock_timeout = '200ms'");
      assertThat(stateOf(() -> client.create(second, "x", "{}"))).isEqualTo("55P03");
      front.commit();
      assertThat(stateOf(() -> client.create(second, "x", "{}"))).isEqualTo("23505");
    }
  }

  @ParameterizedTest
  @MethodSource("dev.recorder.requests.postgres.RequestSessionIT#entities")
  void anyTextCanNameAnEntity(String entity) throws Exception {
    long create = client.create(front, entity, "{}");
    long update = client.update(front, entity, "{}");

    assertThat(site.ask("SELECT count(DISTINCT md5(entity_id)) FROM handoff.orders"))
        .isEqualTo("1");
    try (RequestSession worker = site.worker("a")) {
      assertThat(RequestSite.begin(worker, create).entity()).isEqualTo(entity);
    }
    assertThat(client.fate(front, update)).contains(new RequestState("new", null));
  }

  @Test
  void aTextThatNoColumnCanHoldIsRefusedWithoutHarmToTheConnection() throws Exception {
    assertThat(stateOf(() -> client.create(front, "a\0b", "{}"))).isEqualTo("22021");
    assertThat(stateOf(() -> client.update(front, "x", "{\"a\":\"\0\"}"))).isEqualTo("22021");

    client.create(front, "a", "{}");
    assertThat(site.rows()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"nonsense, 22P02", "'', 22P02", "{} {}, 22P02", "'{\"a\":', 22P02"})
  void whatIsNoJsonIsRefused(String payload, String state) throws Exception {
    assertThat(stateOf(() -> client.update(front, "x", payload))).isEqualTo(state);
    assertThat(site.rows()).isEmpty();
  }

  @Test
  void aPayloadOverTheLimitIsRefusedByTheCheckThatSaysSo() throws Exception {
    client.update(front, "x", '"' + "x".repeat(1_022) + '"');

    assertThatThrownBy(() -> client.update(front, "x", '"' + "x".repeat(1_023) + '"'))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("payload_within_max_payload");
  }

  // ---- names

  @ParameterizedTest
  @ValueSource(
      strings = {"", "Orders", "1st", "_orders", "or-ders", "orders; DROP", "\"orders\"", "a.b"})
  void aNameOfAnotherFormIsRefused(String name) {
    assertThatIllegalArgumentException().isThrownBy(() -> new RequestClient("handoff", name));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RequestClient("hand off" + name, "orders"));
  }

  @Test
  void aRecorderThatIsNotThereIsToldAsSuch() {
    RequestClient nobody = new RequestClient("handoff", "nobody");

    assertThat(stateOf(() -> nobody.create(front, "x", "{}"))).isEqualTo("42P01");
    assertThat(stateOf(() -> nobody.fate(front, 1))).isEqualTo("42P01");
  }

  @Test
  void theSchemaOfTheHandOffIsTheCallers() throws Exception {
    site.run(
        "CREATE SCHEMA elsewhere",
        "CREATE TABLE elsewhere.orders (LIKE handoff.orders INCLUDING ALL)");
    try (Connection owner = site.database.connect()) {
      new RequestClient("elsewhere", "orders").create(owner, "x", "{}");

      assertThat(site.rows()).isEmpty();
      assertThat(site.ask("SELECT count(*) FROM elsewhere.orders")).isEqualTo("1");
    } finally {
      site.run("DROP SCHEMA elsewhere CASCADE");
    }
  }

  // ---- waking

  @Test
  void whoeverListensIsWokenWithTheCommit() throws Exception {
    try (ListenSession listening =
        ListenSession.open(TestSessions.patient(site.database, "listener"))) {
      listening.listen(List.of(RequestSite.ORDERS));
      assertThat(listening.await(Duration.ofSeconds(60))).containsExactly("orders");

      front.setAutoCommit(false);
      client.update(front, "x", "{}");
      client.wake(front);
      assertThat(listening.await(Duration.ofMillis(200))).isEmpty();
      front.commit();
      assertThat(listening.await(Duration.ofSeconds(60))).containsExactly("orders");

      new RequestClient("handoff", "others").wake(front);
      front.commit();
      assertThat(listening.await(Duration.ofMillis(200))).isEmpty();
    }
  }

  // ---- what has become of it

  @Test
  void theFateOfARequestIsTold() throws Exception {
    long first = client.create(front, "x", "{}");
    long second = client.create(front, "y", "{}");
    assertThat(client.fate(front, first)).contains(new RequestState("new", null));
    assertThat(client.fate(front, first).orElseThrow().isSettled()).isFalse();
    try (RequestSession worker = site.worker("a")) {
      RequestSite.unit(worker, first).complete(worker);
      RequestSite.unit(worker, second).settle(worker, List.of(), Map.of(second, "no such"));
    }

    assertThat(client.fate(front, first)).contains(new RequestState("complete", null));
    assertThat(client.fate(front, second)).contains(new RequestState("error", "no such"));
    assertThat(client.fate(front, first).orElseThrow().isSettled()).isTrue();
    assertThat(client.fate(front, second).orElseThrow().isSettled()).isTrue();
    assertThat(client.fate(front, 99)).isEmpty();
  }

  @Test
  void whyTheLastAttemptFailedIsToldBeforeItIsSettled() throws Exception {
    long id = client.update(front, "x", "{}");
    try (RequestSession worker = site.worker("a")) {
      RequestSite.unit(worker, id).postpone(worker, Duration.ofSeconds(60), 20);
    }

    assertThat(client.fate(front, id)).contains(new RequestState("new", "not now"));
  }

  // ---- rights

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT payload FROM handoff.orders",
        "UPDATE handoff.orders SET request_status = 'complete'",
        "DELETE FROM handoff.orders",
        "INSERT INTO handoff.orders (entity_id, request_status) VALUES ('x', 'complete')",
        "TRUNCATE handoff.orders"
      })
  void theFrontEndOfThisTestMayDoNothingElse(String sql) throws Exception {
    client.create(front, "x", "{}");
    assertThat(stateOf(() -> RequestSite.run(front, sql))).isEqualTo("42501");
    assertThat(new RequestClient("handoff", "orders").fate(front, 1)).isPresent();
  }

  private String asked(long id) throws SQLException {
    return site.ask(
        "SELECT concat_ws(' ', request_type, entity_id, coalesce(payload::text, '-'),"
            + " request_status) FROM handoff.orders WHERE id = "
            + id);
  }

  private static Connection connectAsFrontEnd() throws SQLException {
    return DriverManager.getConnection(site.database.jdbcUrl(), FRONT_END, TestDatabase.PASSWORD);
  }
}
