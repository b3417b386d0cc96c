package dev.recorder.audit.postgres;

import static dev.recorder.requests.RequestType.CREATE;
import static dev.recorder.requests.RequestType.UPDATE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.recorder.audit.AuditResult;
import dev.recorder.audit.documents.DocumentVerifier;
import dev.recorder.audit.documents.RequestRecords.RecordedRequest;
import dev.recorder.operate.Inspection;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.TestSessions;
import dev.recorder.requests.Claim;
import dev.recorder.requests.RequestStatus;
import dev.recorder.requests.TestRoom;
import dev.recorder.requests.UnitVerdict;
import dev.recorder.requests.WorkUnit;
import dev.recorder.requests.document.DocumentLayout;
import dev.recorder.requests.document.DocumentLimits;
import dev.recorder.requests.document.DocumentWorker;
import dev.recorder.requests.postgres.ListenSession;
import dev.recorder.requests.postgres.RequestSession;
import dev.recorder.requests.postgres.RequestSessionIT;
import dev.recorder.requests.postgres.RequestSite;
import dev.recorder.s3.S3ObjectStore;
import dev.recorder.s3.TestStores;
import dev.recorder.schema.HandoffTable;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import dev.recorder.store.DocumentStore;
import dev.recorder.store.ObjectStore.Created;
import dev.recorder.store.ObjectStore.Fetched;
import dev.recorder.testing.servers.S3Server;
import dev.recorder.time.Ticker;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What {@code recorder verify} does for requests: documents in a real store against a real table,
 * both written by the product's own workers.
 */
class JdbcRequestRecordsIT {
  private static final String BUCKET = "bucket";
  private static final DocumentLayout LAYOUT =
      new DocumentLayout("", BUCKET, "p", RequestSite.ORDERS);

  private static RequestSite site;
  private static S3Server server;
  private static S3ObjectStore store;

  private RequestSession session;
  private Inspection inspection;
  private JdbcRequestRecords records;

  @BeforeAll
  static void start() throws Exception {
    site = new RequestSite();
    server = S3Server.start();
    server.createBucket(BUCKET);
    store = open(server.port());
  }

  @AfterAll
  static void stop() throws Exception {
    store.close();
    server.close();
    site.close();
  }

  @BeforeEach
  void open() {
    session = site.worker("a");
    inspection = Inspection.open(TestSessions.patient(site.database, "a"));
    records = inspection.requestRecords(RequestSite.ORDERS);
  }

  @AfterEach
  void forget() throws Exception {
    inspection.close();
    site.clear();
    server.keys(BUCKET, "").forEach(key -> server.delete(BUCKET, key));
  }

  // ---- what the table says

  @Test
  void aRequestIsReadAsItStandsInTheTable() throws Exception {
    site.insert("create", "x", "{ \"a\": 1,  \"a\": 2 }");
    site.insert("update", "x", null);
    site.insert("update", "y", "[1]");
    workAll();
    site.insert("update", "x", "{\"b\":1e5}");
    site.run("UPDATE handoff.orders SET request_status = 'error' WHERE id = 4");
    site.insert("update", "x", "3");

    assertThat(fence(1)).isPositive();
    assertThat(records.of("x"))
        .containsExactlyInAnyOrder(
            new RecordedRequest(
                1, CREATE, RequestStatus.COMPLETE, fence(1), "{ \"a\": 1,  \"a\": 2 }", digest(1)),
            new RecordedRequest(2, UPDATE, RequestStatus.COMPLETE, fence(2), null, digest(2)),
            new RecordedRequest(4, UPDATE, RequestStatus.ERROR, 0, "{\"b\":1e5}", digest(4)),
            new RecordedRequest(5, UPDATE, RequestStatus.NEW, 0, "3", digest(5)));
    assertThat(records.of("X")).isEmpty();
  }

  @Test
  void whoHasLockedTheRequestsIsNamed() throws Exception {
    try (Connection stranger = site.database.connect();
        Statement statement = stranger.createStatement();
        Inspection hurried =
            Inspection.openHurried(
                TestSessions.patient(site.database, "a"), Duration.ofMillis(100))) {
      stranger.setAutoCommit(false);
      statement.execute("LOCK TABLE handoff.orders IN ACCESS EXCLUSIVE MODE");

      assertThatThrownBy(() -> hurried.requestRecords(RequestSite.ORDERS).entities(null, 1))
          .isInstanceOf(DatabaseException.class)
          .hasMessageContaining("with AccessExclusiveLock on handoff.orders");
    }
  }

  /** As the worker is given it. */
  private long digest(long request) throws Exception {
    // One that is open is with it.
    return session.of("x", List.of(request, 5L)).get(request).digest();
  }

  private static long fence(long request) throws Exception {
    return Long.parseLong(String.valueOf(site.row(request).fence()));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 100})
  void eachEntityComesOnceWhateverItsIdAndThePage(int page) throws Exception {
    List<String> entities =
        RequestSessionIT.entities().filter(HandoffTable::isIndexable).distinct().toList();
    for (String entity : entities) {
      site.create(entity);
      site.update(entity);
    }
    site.update("e".repeat(1_025));

    List<String> read = new ArrayList<>();
    List<String> next = records.entities(null, page);
    while (!next.isEmpty()) {
      assertThat(next).hasSizeLessThanOrEqualTo(page);
      assertThat(read).doesNotContainAnyElementsOf(next);
      read.addAll(next);
      next = records.entities(next.get(next.size() - 1), page);
    }

    assertThat(read).containsExactlyInAnyOrderElementsOf(entities);
    for (String entity : entities) {
      assertThat(records.of(entity)).extracting(RecordedRequest::type).hasSize(2);
    }
  }

  @Test
  void anIdThatNoKeyCouldHoldIsLookedForNowhere() throws Exception {
    site.update("e".repeat(1_025));

    assertThat(records.entities(null, 10)).isEmpty();
    assertThat(records.of("e".repeat(1_025))).isEmpty();
  }

  @Test
  void aLostSessionIsToldAsOne() throws Exception {
    site.run(
        "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname ="
            + " current_database() AND application_name = 'recorder/a/query'");

    assertThat(
            catchThrowableOfType(DatabaseException.class, () -> records.entities(null, 1)).kind())
        .isEqualTo(DatabaseException.DatabaseErrorKind.UNREACHABLE);
    assertThat(catchThrowableOfType(DatabaseException.class, () -> records.of("x")).kind())
        .isEqualTo(DatabaseException.DatabaseErrorKind.UNREACHABLE);
  }

  // ---- documents against it

  @Test
  void documentsInARealStoreAreRight() throws Exception {
    List<String> entities =
        Stream.concat(RequestSessionIT.entities(), Stream.of("a/b", "../c", "%2F")).toList();
    for (String entity : entities) {
      site.insert("create", entity, "{\"name\":\"Zoë\",\"n\":0}");
      site.insert("update", entity, "{\"n\":1}");
      site.insert("update", entity, "{\"n\":2,\"m\":{\"k\":null}}");
    }
    workAll();
    site.insert("update", "a/b", "{\"n\":null}");
    site.insert("update", "never created", "{\"n\":1}");
    workAll();

    int complete =
        Integer.parseInt(
            site.ask("SELECT count(*) FROM handoff.orders WHERE request_status = 'complete'"));
    assertThat(site.ask("SELECT count(*) FROM handoff.orders WHERE request_status = 'error'"))
        .as("of the ids, the empty one and those too long for a key make none")
        .isNotEqualTo("0");
    AuditResult verdict = verify();
    assertThat(verdict.findings()).isEmpty();
    assertThat(verdict.notes()).isEmpty();
    assertThat(verdict.rows()).isEqualTo(complete).isGreaterThan(30);
    assertThat(verdict.compared()).isEqualTo(complete);
    assertThat(verdict.slots()).isEqualTo(server.keys(BUCKET, "p/orders/").size());
  }

  @Test
  void aMissingAndAFalsifiedDocumentAreFound() throws Exception {
    createAndUpdate("right", "missing", "false");
    server.delete(BUCKET, "p/orders/missing.json");
    rewrite("p/orders/false.json", "{\"n\":0}");

    AuditResult verdict = verify();
    assertThat(verdict.ok()).isFalse();
    assertThat(verdict.lost()).isEqualTo(2);
    assertThat(verdict.hashMismatches()).isEqualTo(1);
    assertThat(verdict.findings())
        .containsExactlyInAnyOrder(
            "entity 'missing' has 2 complete requests and no object",
            "entity 'false': its object is not what its 2 complete requests make it");
  }

  @Test
  void aUnitThatHasWrittenAndNotCommittedIsLeftOut() throws Exception {
    site.insert("create", "x", "{\"n\":0}");
    workAll();
    site.insert("update", "x", "{\"n\":1}");
    RequestSite.Unit unit = RequestSite.unit(session, 2);
    work(unit.work());

    AuditResult meanwhile = verify();
    assertThat(meanwhile.ok()).isTrue();
    assertThat(meanwhile.rows()).isZero();
    assertThat(meanwhile.notes()).hasSize(1).first().asString().contains("1 entity", "worked on");

    unit.complete(session);
    assertThat(verify().rows()).isEqualTo(2);
    assertThat(verify().ok()).isTrue();
  }

  @Test
  void aCancelledRequestThatHadTakenEffectIsMentionedUntilItsEntityIsWorkedOn() throws Exception {
    site.insert("create", "x", "{\"n\":0}");
    workAll();
    site.insert("update", "x", "{\"n\":1}");
    work(RequestSite.unit(session, 2).work());
    site.terminate("a");
    assertThat(inspection.requests(RequestSite.ORDERS).cancel(List.of(2L))).containsExactly(2L);

    assertThat(verify().ok()).isTrue();
    assertThat(verify().notes()).hasSize(1).first().asString().startsWith("request 2 of entity");

    session = site.worker("a");
    site.insert("update", "x", "{\"m\":1}");
    workAll();
    assertThat(site.statuses()).containsExactly("complete", "complete", "complete");
    assertThat(verify().ok()).isTrue();
    assertThat(verify().notes()).isEmpty();
  }

  @Test
  void whereRequestsWereClearedAwayDocumentsStayAndAreLookedFor() throws Exception {
    createAndUpdate("x", "y");
    site.run("UPDATE handoff.orders SET settled_at = settled_at - interval '2 h'");
    try (ListenSession keeper = ListenSession.open(TestSessions.patient(site.database, "keeper"))) {
      assertThat(keeper.clear(RequestSite.ORDERS, Duration.ofHours(1), 0, 100).removed())
          .isEqualTo(2);
    }

    assertThat(text("p/orders/x.json")).isEqualTo("{\"n\":1}");
    AuditResult cleared = verify(store, false);
    assertThat(cleared.ok()).isTrue();
    assertThat(cleared.rows()).isEqualTo(2);
    assertThat(cleared.notes())
        .containsExactly("history is set: what the documents say was not compared");

    // What the last write answered for is not in the table any more: it was complete.
    site.insert("update", "x", "{\"m\":2}");
    workAll();
    assertThat(text("p/orders/x.json")).isEqualTo("{\"n\":1,\"m\":2}");
    assertThat(site.statuses()).containsOnly("complete");
    assertThat(verify(store, false).ok()).isTrue();
    server.delete(BUCKET, "p/orders/y.json");
    assertThat(verify(store, false).lost()).isEqualTo(1);
  }

  @Test
  void moreEntitiesThanAPageAreAllLookedAt() throws Exception {
    site.run(
        "INSERT INTO handoff.orders (entity_id, request_status, fence) SELECT 'e' || i, 'complete',"
            + " '1' FROM generate_series(1, 501) i");
    assertThat(store.putIfAbsent("p/orders/e501.json", "{}".getBytes(UTF_8), Map.of()))
        .isInstanceOf(Created.class);

    AuditResult verdict = verify();
    assertThat(verdict.lost()).isEqualTo(500);
    assertThat(verdict.slots()).isEqualTo(1);
  }

  @Test
  void aStoreThatIsGoneProvesNothing() throws Exception {
    site.create("x");
    workAll();

    try (S3ObjectStore nobody = open(1)) {
      UnreadableSlotException unreadable =
          catchThrowableOfType(UnreadableSlotException.class, () -> verify(nobody, true));
      assertThat(unreadable).hasMessageContaining("p/orders/x.json");
      assertThat(unreadable.isUnreachable()).isTrue();
    }
  }

  private AuditResult verify() throws UnreadableSlotException {
    return verify(store, true);
  }

  private AuditResult verify(DocumentStore bucket, boolean allKept) throws UnreadableSlotException {
    return new DocumentVerifier(bucket, LAYOUT, records, allKept, 1 << 20).verify();
  }

  /** Leaves documents {@code {"n":1}}. */
  private void createAndUpdate(String... entities) throws Exception {
    for (String entity : entities) {
      site.insert("create", entity, "{\"n\":0}");
      site.insert("update", entity, "{\"n\":1}");
    }
    workAll();
  }

  /** Works off what there is, until there is nothing. */
  private void workAll() throws Exception {
    while (true) {
      Claim claim = session.claim(UUID.randomUUID(), 0, Set.of(), true);
      if (!(claim instanceof Claim.Begun begun)) {
        assertThat(claim).isEqualTo(new Claim.Nothing());
        return;
      }
      WorkUnit unit = session.lock(begun, TestRoom.AMPLE).orElseThrow();
      UnitVerdict verdict = work(unit);
      if (verdict instanceof UnitVerdict.RequestsSettled settled) {
        session.settle(begun, unit, settled);
      } else if (verdict instanceof UnitVerdict.AppliedEarlier found) {
        session.settleFound(begun, unit, found);
      } else {
        throw new AssertionError("not to be settled: " + verdict);
      }
    }
  }

  private UnitVerdict work(WorkUnit unit) throws InterruptedException {
    DocumentLimits limits = new DocumentLimits(1 << 20, Duration.ofSeconds(30));
    return new DocumentWorker(store, LAYOUT, limits, Ticker.system())
        .work(unit, session, TestRoom.AMPLE);
  }

  private static String text(String key) {
    return new String(server.read(BUCKET, key), UTF_8).strip();
  }

  private static void rewrite(String key, String text) {
    Fetched object = (Fetched) store.fetch(key);
    assertThat(store.putIfMatch(key, text.getBytes(UTF_8), object.metadata(), object.etag()))
        .isInstanceOf(Created.class);
  }

  private static S3ObjectStore open(int port) {
    return TestStores.open(TestStores.settings(S3Server.endpoint(port), BUCKET));
  }
}
