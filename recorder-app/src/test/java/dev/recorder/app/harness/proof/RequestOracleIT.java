package dev.recorder.app.harness.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.testing.servers.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What requests are judged by finds each kind of damage, done here by hand. */
class RequestOracleIT {
  private static final List<String> RECORDERS = List.of("accounts", RequestOracle.JOBS);

  private final List<String> faults = new ArrayList<>();
  private final Map<String, byte[]> objects = new HashMap<>();
  private final Set<String> confirmed = new HashSet<>(Set.of("r1", "r2", "j1"));
  private TestDatabase database;

  @BeforeEach
  void workOffTwoRequestsOfEachRecorder() throws SQLException {
    database = TestDatabase.createOwned();
    database.execute("CREATE SCHEMA handoff");
    for (String recorder : RECORDERS) {
      database.execute(
          """
          CREATE TABLE handoff.%s (id bigint PRIMARY KEY, entity_id text, payload json,
            request_type text DEFAULT 'update', request_status text DEFAULT 'new', error_text text, process_id uuid, fence xid8,
            deaths int DEFAULT 0, created_at timestamptz DEFAULT now(), settled_at timestamptz)\
          """
              .formatted(recorder));
    }
    database.execute("ALTER SCHEMA handoff OWNER TO " + TestDatabase.ROLE);
    for (String recorder : RECORDERS) {
      database.execute("ALTER TABLE handoff." + recorder + " OWNER TO " + TestDatabase.ROLE);
    }
    StatusJournal.open(database, RECORDERS);
    insert("accounts", 1, "a", "{\"last\": \"r1\", \"r1\": 1, \"gone\": 1}");
    insert("accounts", 2, "a", "{\"last\": \"r2\", \"r2\": 2, \"gone\": null}");
    insert("jobs", 1, "j", "{\"last\": \"j1\"}");
    complete("accounts", 1);
    complete("accounts", 2);
    leave(1, complete("jobs", 1));
    object("a", "{\"last\": \"r2\", \"r1\": 1, \"r2\": 2}");
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  @Test
  void workThatIsRightIsAllRight() throws Exception {
    RequestProof found = examine();
    assertThat(found.requests()).isEqualTo(3);
    assertThat(found.entities()).isEqualTo(2);
    assertThat(found.units()).isEqualTo(3);
    assertThat(found.holds()).isTrue();
    assertThat(faults).isEmpty();
  }

  @Test
  void aRequestThatIsSettledTwiceIsFound() throws Exception {
    database.execute("UPDATE handoff.accounts SET request_status = 'new' WHERE id = 1");
    complete("accounts", 1);
    assertThat(examine().appliedTwice()).isEqualTo(1);
    assertThat(faults).isNotEmpty();
  }

  @Test
  void aRequestThatIsStillNewIsLost() throws Exception {
    insert("accounts", 3, "a", "{\"last\": \"r3\"}");
    confirmed.add("r3");
    assertThat(examine().lost()).isEqualTo(1);
  }

  @Test
  void aRequestThatBecameAnErrorIsFound() throws Exception {
    insert("jobs", 2, "j", "{\"last\": \"j2\"}");
    database.execute("UPDATE handoff.jobs SET request_status = 'error' WHERE id = 2");
    assertThat(examine().errors()).isEqualTo(1);
  }

  @Test
  void aRequestThatWasConfirmedAndIsNotThereIsLost() throws Exception {
    database.execute("DELETE FROM handoff.accounts WHERE id = 2");
    assertThat(examine().lost()).isEqualTo(1);
  }

  @Test
  void aDocumentWithoutARequestThatIsCompleteIsWrongAndTheRequestLost() throws Exception {
    object("a", "{\"last\": \"r2\", \"r2\": 2}");
    RequestProof found = examine();
    assertThat(found.lost()).isEqualTo(1);
    assertThat(found.wrongDocuments()).isEqualTo(1);
  }

  @Test
  void aDocumentThatIsNotThereIsWrong() throws Exception {
    insert("accounts", 3, "empty", "{}");
    complete("accounts", 3);
    assertThat(examine().wrongDocuments()).isEqualTo(1);
  }

  @Test
  void aDocumentInWhichRequestsWereAppliedInAnotherOrderIsWrong() throws Exception {
    object("a", "{\"last\": \"r1\", \"r1\": 1, \"r2\": 2, \"gone\": 1}");
    assertThat(examine().wrongDocuments()).isEqualTo(1);
  }

  @Test
  void aDocumentThatNobodyHasUpdatedIsItsCreatesPayloadWithItsNulls() throws Exception {
    insert("accounts", 3, "c", "{\"last\": \"r3\", \"r3\": 3, \"nothing\": null}");
    database.execute("UPDATE handoff.accounts SET request_type = 'create' WHERE id = 3");
    complete("accounts", 3);
    object("c", "{\"last\": \"r3\", \"r3\": 3, \"nothing\": null}");
    assertThat(examine().holds()).isTrue();
    object("c", "{\"last\": \"r3\", \"r3\": 3}");
    assertThat(examine().wrongDocuments()).isEqualTo(1);
  }

  @Test
  void aDocumentThatNobodyAskedForIsBlamed() throws Exception {
    object("b", "{}");
    examine();
    assertThat(faults).isNotEmpty();
  }

  @Test
  void aJobThatIsSettledByAUnitThatNeverLeftIsBlamed() throws Exception {
    insert("jobs", 2, "j", "{\"last\": \"j2\"}");
    complete("jobs", 2);
    examine();
    assertThat(faults).isNotEmpty();
  }

  @Test
  void unitsThatOverlapAreFound() throws Exception {
    database.execute(
        "INSERT INTO proof.overlaps VALUES ('j', gen_random_uuid(), gen_random_uuid())");
    assertThat(examine().overlaps()).isEqualTo(1);
  }

  private RequestProof examine() throws SQLException {
    return new RequestOracle(database, RECORDERS, faults::add)
        .examine(confirmed, "accounts", objects);
  }

  private void insert(String recorder, int id, String entity, String payload) throws SQLException {
    database.execute(
        "INSERT INTO handoff.%s (id, entity_id, payload) VALUES (%d, '%s', '%s')"
            .formatted(recorder, id, entity, payload));
  }

  private UUID complete(String recorder, int id) throws SQLException {
    UUID process = UUID.randomUUID();
    database.execute(
        "UPDATE handoff.%s SET request_status = 'complete', process_id = '%s', fence = '7',"
                .formatted(recorder, process)
            + " settled_at = clock_timestamp() WHERE id = "
            + id);
    return process;
  }

  private void leave(int id, UUID process) throws SQLException {
    database.execute(
        "INSERT INTO proof.units VALUES ('%s', 'j', '7', '{%d}', now())".formatted(process, id));
  }

  private void object(String entity, String json) {
    objects.put(entity, json.getBytes(StandardCharsets.UTF_8));
  }
}
