package dev.recorder.requests.postgres;

import static dev.recorder.requests.postgres.RequestSite.begin;
import static dev.recorder.requests.postgres.RequestSite.unit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.postgres.DatabaseException;
import dev.recorder.requests.Attempt;
import dev.recorder.requests.Claim;
import dev.recorder.requests.postgres.RequestSite.Unit;
import java.sql.Connection;
import java.sql.SQLException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a worker gets on with locks that other applications have on its table. */
class RequestLocksIT extends TwoWorkers {
  private Connection other;

  @BeforeEach
  void openAnother() throws Exception {
    other = site.transaction();
  }

  @AfterEach
  void closeIt() throws Exception {
    other.close();
  }

  @Test
  void aRowThatIsLockedBetweenClaimAndWorkIsGivenBackWhenItIsFree() throws Exception {
    site.update("x");
    Claim.Begun begun = begin(a, 1);
    other("SELECT FROM handoff.orders FOR UPDATE");
    assertThat(RequestSite.lock(a, begun)).isEmpty();
    assertThat(a.takeBack(begun)).isFalse();
    assertThat(site.locks()).isZero();
    assertThat(a.disown(Attempt.at(begun))).isFalse();
    assertThat(a.disown(Attempt.behind(0, begun.process()))).isFalse();
    other.rollback();
    assertThat(a.disown(Attempt.at(begun))).isTrue();
    assertThat(site.row(1)).isEqualTo(untouched(1));
  }

  @Test
  void aTableThatIsLockedIsNotWaitedForLong() throws Exception {
    site.update("x");
    other("LOCK TABLE handoff.orders");
    assertBusy(() -> claim(a, 0));
    assertThat(site.locks()).isZero();
    other.rollback();
    assertThat(site.row(1).attempts()).isZero();
  }

  @Test
  void aTableThatIsLockedBetweenClaimAndWorkIsNotWaitedForLong() throws Exception {
    site.update("x");
    Claim.Begun begun = begin(a, 1);
    other("LOCK TABLE handoff.orders");
    assertThat(RequestSite.lock(a, begun)).isEmpty();
    assertBusy(() -> a.takeBack(begun));
    other.rollback();
    assertThat(site.worker("a").disown(Attempt.at(begun))).isTrue();
    assertThat(site.row(1).attempts()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"SHARE", "SHARE ROW EXCLUSIVE", "EXCLUSIVE", "ACCESS EXCLUSIVE"})
  void nobodyLocksTheTableBetweenAnEffectAndItsSettlement(String mode) throws Exception {
    site.update("x");
    Unit unit = unit(a, 1);
    assertThatThrownBy(() -> other("LOCK TABLE handoff.orders IN " + mode + " MODE NOWAIT"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("55P03"));
    other.rollback();
    unit.complete(a);
    assertThat(site.statuses()).containsExactly("complete");
  }

  @Test
  void whoeverReadsOrInsertsIsNeverWaitedFor() throws Exception {
    site.create("x");
    other(
        "SELECT count(*) FROM handoff.orders",
        "INSERT INTO handoff.orders (entity_id) VALUES ('y')",
        "INSERT INTO handoff.orders (entity_id, request_type) VALUES ('x', 'update')");
    unit(a, 1).complete(a);
    other.commit();
    unit(a, 2).complete(a);
    unit(a, 3).complete(a);
  }

  private void other(String... statements) throws SQLException {
    RequestSite.run(other, statements);
  }

  private static void assertBusy(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            DatabaseException.class,
            e -> assertThat(e.kind()).isEqualTo(DatabaseException.DatabaseErrorKind.BUSY));
  }
}
