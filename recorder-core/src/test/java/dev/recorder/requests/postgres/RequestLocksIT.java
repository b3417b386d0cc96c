package dev.recorder.requests.postgres;

import static dev.recorder.requests.postgres.RequestSite.begin;
import static dev.recorder.requests.postgres.RequestSite.unit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.postgres.DatabaseException;
import dev.recorder.requests.Attempt;
import dev.recorder.requests.Claim;
import dev.recorder.requests.postgres.RequestSite.Row;
import dev.recorder.requests.postgres.RequestSite.Unit;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a worker gets on with locks that other applications have on its table. */
class RequestLocksIT {
  private RequestSite site;
  private RequestSession worker;
  private Connection other;

  @BeforeEach
  void open() throws Exception {
    site = new RequestSite();
    worker = site.worker("a");
    other = site.database.connect();
    other.setAutoCommit(false);
  }

  @AfterEach
  void close() throws Exception {
    other.close();
    site.close();
  }

  @Test
  void aRowThatIsLockedBetweenClaimAndWorkIsGivenBackWhenItIsFree() throws Exception {
    site.update("x");
    Claim.Begun begun = begin(worker, 1);
    other("SELECT FROM handoff.orders FOR UPDATE");
    assertThat(RequestSite.lock(worker, begun)).isEmpty();
    assertThat(worker.takeBack(begun)).isFalse();
    assertThat(site.locks()).isZero();
    assertThat(worker.disown(Attempt.at(begun))).isFalse();
    assertThat(worker.disown(Attempt.behind(0, begun.process()))).isFalse();
    other.rollback();
    assertThat(worker.disown(Attempt.at(begun))).isTrue();
    assertThat(site.row(1))
        .isEqualTo(new Row(1, "new", null, null, 0, 0, null, false, false, null));
  }

  @Test
  void aTableThatIsLockedIsNotWaitedForLong() throws Exception {
    site.update("x");
    other("LOCK TABLE handoff.orders");
    assertBusy(() -> worker.claim(UUID.randomUUID(), 0, Set.of(), true));
    assertThat(site.locks()).isZero();
    other.rollback();
    assertThat(site.row(1).attempts()).isZero();
  }

  @Test
  void aTableThatIsLockedBetweenClaimAndWorkIsNotWaitedForLong() throws Exception {
    site.update("x");
    Claim.Begun begun = begin(worker, 1);
    other("LOCK TABLE handoff.orders");
    assertThat(RequestSite.lock(worker, begun)).isEmpty();
    assertBusy(() -> worker.takeBack(begun));
    other.rollback();
    assertThat(site.worker("a").disown(Attempt.at(begun))).isTrue();
    assertThat(site.row(1).attempts()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"SHARE", "SHARE ROW EXCLUSIVE", "EXCLUSIVE", "ACCESS EXCLUSIVE"})
  void nobodyLocksTheTableBetweenAnEffectAndItsSettlement(String mode) throws Exception {
    site.update("x");
    Unit unit = unit(worker, 1);
    assertThatThrownBy(() -> other("LOCK TABLE handoff.orders IN " + mode + " MODE NOWAIT"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("55P03"));
    other.rollback();
    unit.complete(worker);
    assertThat(site.statuses()).containsExactly("complete");
  }

  @Test
  void whoeverReadsOrInsertsIsNeverWaitedFor() throws Exception {
    site.create("x");
    other(
        "SELECT count(*) FROM handoff.orders",
        "INSERT INTO handoff.orders (entity_id) VALUES ('y')",
        "INSERT INTO handoff.orders (entity_id, request_type) VALUES ('x', 'update')");
    unit(worker, 1).complete(worker);
    other.commit();
    unit(worker, 2).complete(worker);
    unit(worker, 3).complete(worker);
  }

  private void other(String... statements) throws SQLException {
    try (Statement statement = other.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static void assertBusy(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            DatabaseException.class,
            e -> assertThat(e.kind()).isEqualTo(DatabaseException.Kind.BUSY));
  }
}
