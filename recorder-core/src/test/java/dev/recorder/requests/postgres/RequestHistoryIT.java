package dev.recorder.requests.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.TestSessions;
import dev.recorder.requests.postgres.ListenSession.ClearedBatch;
import dev.recorder.requests.postgres.RequestSite.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clearing settled requests away takes, and what it never takes. */
class RequestHistoryIT extends OneTable {
  private static final Duration HOUR = Duration.ofHours(1);

  private ListenSession session;

  @BeforeEach
  void open() {
    session = ListenSession.open(TestSessions.patient(site.database, "keeper"));
  }

  @AfterEach
  void close() {
    session.close();
  }

  @Test
  void updatesThatWereSettledLongerAgoThanHistorySaysGo() throws Exception {
    settled("update", "x", "complete", "61 min");
    settled("update", "x", "error", "61 min");
    settled("update", "y", "complete", "10 years");
    long younger = settled("update", "x", "complete", "59 min");
    long youngerError = settled("update", "y", "error", "59 min");

    assertThat(clear()).isEqualTo(new ClearedBatch(5, 3));
    assertThat(ids()).containsExactly(younger, youngerError);
    assertThat(clear()).isEqualTo(new ClearedBatch(5, 0));
  }

  @Test
  void aRequestThatIsNewStaysHoweverOldItIs() throws Exception {
    long waits = site.update("x");
    long again = site.update("y");
    long created = site.create("z");
    site.run("UPDATE handoff.orders SET created_at = now() - interval '10 years'");
    site.run(
        "UPDATE handoff.orders SET attempts = 19, not_before = now(), settled_at = created_at"
            + " WHERE id = "
            + again);

    assertThat(clear().removed()).isZero();
    assertThat(ids()).containsExactly(waits, again, created);
  }

  @Test
  void aCompleteCreateStaysForEver() throws Exception {
    long create = settled("create", "x", "complete", "10 years");
    settled("update", "x", "complete", "10 years");

    assertThat(clear().removed()).isEqualTo(1);
    assertThat(clear().removed()).isZero();
    assertThat(ids()).containsExactly(create);
    assertThat(RequestSite.stateOf(() -> site.create("x"))).isEqualTo("23505");
  }

  @ParameterizedTest
  @ValueSource(strings = {"new", "complete", "error"})
  void aCreateThatFailedStaysAsLongAsItsEntityHasOtherRequests(String status) throws Exception {
    long create = settled("create", "x", "error", "2 h");
    long update = status.equals("new") ? site.update("x") : settled("update", "x", status, "1 min");

    assertThat(clear().removed()).isZero();
    assertThat(ids()).containsExactly(create, update);

    site.run("DELETE FROM handoff.orders WHERE id = " + update);
    assertThat(clear().removed()).isEqualTo(1);
    site.create("x");
  }

  @Test
  void aCreateThatFailedGoesOneStepAfterTheLastOfItsUpdates() throws Exception {
    settled("create", "x", "error", "2 h");
    settled("update", "x", "complete", "2 h");

    assertThat(clear().removed()).isEqualTo(1);
    assertThat(clear().removed()).isEqualTo(1);
    assertThat(ids()).isEmpty();
  }

  @Test
  void aFailedCreateOfAnIdThatIsNoneGoesAlone() throws Exception {
    settled("create", "e".repeat(1_025), "error", "2 h");
    settled("update", "e".repeat(1_025), "error", "1 min");

    assertThat(clear().removed()).isEqualTo(1);
  }

  @Test
  void oneStepLooksAtSoManyRowsAndTheNextGoesOn() throws Exception {
    for (int i = 1; i <= 10; i++) {
      settled("update", "x", "complete", i == 2 ? "1 min" : "2 h");
    }

    assertThat(clear(0, 3)).isEqualTo(new ClearedBatch(3, 2));
    assertThat(ids()).containsExactly(2L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
    assertThat(clear(0, 1)).isEqualTo(new ClearedBatch(2, 0));
    assertThat(clear(2, 1)).isEqualTo(new ClearedBatch(4, 1));
    assertThat(clear(4, 3)).isEqualTo(new ClearedBatch(7, 3));
    assertThat(clear(7, 4)).isEqualTo(new ClearedBatch(10, 3));
    assertThat(clear(10, 3)).isEqualTo(new ClearedBatch(0, 0));
    assertThat(ids()).containsExactly(2L);
  }

  @Test
  void anEmptyTableIsDoneAtOnce() {
    assertThat(clear()).isEqualTo(new ClearedBatch(0, 0));
  }

  @Test
  void aRowThatSomebodyHoldsIsNeitherWaitedForNorTaken() throws Exception {
    settled("update", "x", "error", "2 h");
    settled("update", "y", "error", "2 h");
    try (Connection operator =
        site.transaction(
            "UPDATE handoff.orders SET request_status = 'new', settled_at = NULL WHERE id = 1")) {
      assertThat(clear().removed()).isEqualTo(1);
      operator.commit();
    }

    assertThat(clear().removed()).isZero();
    assertThat(site.row(1).status()).isEqualTo("new");
  }

  @Test
  void anotherRecordersRequestsAreNotTouched() throws Exception {
    site.run(
        "CREATE TABLE handoff.others (LIKE handoff.orders INCLUDING ALL)",
        "INSERT INTO handoff.others (request_type, entity_id, request_status, settled_at)"
            + " VALUES ('update', 'x', 'complete', now() - interval '1 day')");
    try {
      settled("update", "x", "complete", "2 h");
      assertThat(clear().removed()).isEqualTo(1);
      assertThat(site.ask("SELECT count(*) FROM handoff.others")).isEqualTo("1");
    } finally {
      site.run("DROP TABLE handoff.others");
    }
  }

  @Test
  void aTableThatIsNotThereOrLockedIsToldAndTheSessionCanStillBeClosed() throws Exception {
    RecorderName nobody = new RecorderName("nobody");
    assertThat(kindOf(() -> session.clear(nobody, HOUR, 0, 10)))
        .isEqualTo(DatabaseErrorKind.FAILED);
    try (Connection other = site.transaction("LOCK handoff.orders IN ACCESS EXCLUSIVE MODE")) {
      assertThat(kindOf(this::clear)).isEqualTo(DatabaseErrorKind.BUSY);
    }
  }

  @Test
  void aLostSessionIsToldAsOne() throws Exception {
    site.terminateAll("recorder/keeper/listen");

    assertThat(kindOf(this::clear)).isEqualTo(DatabaseErrorKind.UNREACHABLE);
  }

  private static DatabaseErrorKind kindOf(ThrowingCallable call) {
    return catchThrowableOfType(DatabaseException.class, call).kind();
  }

  private ClearedBatch clear() {
    return clear(0, 100);
  }

  private ClearedBatch clear(long after, int most) {
    return session.clear(RequestSite.ORDERS, HOUR, after, most);
  }

  private static long settled(String type, String entity, String status, String ago)
      throws SQLException {
    long id = site.insert(type, entity, "{}");
    site.run(
        """
        UPDATE handoff.orders
        SET request_status = '%s', settled_at = clock_timestamp() - interval '%s' WHERE id = %d\
        """
            .formatted(status, ago, id));
    return id;
  }

  private static List<Long> ids() throws SQLException {
    return site.rows().stream().map(Row::id).toList();
  }
}
