package dev.recorder.requests.postgres;

import static dev.recorder.requests.postgres.RequestSite.begin;
import static dev.recorder.requests.postgres.RequestSite.unit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.postgres.DatabaseException;
import dev.recorder.requests.Attempt;
import dev.recorder.requests.Claim;
import dev.recorder.requests.UnitVerdict;
import dev.recorder.requests.postgres.RequestSite.Row;
import dev.recorder.requests.postgres.RequestSite.Unit;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What remains when sessions and processes die, and who takes it up, on a real server. */
class RequestLossIT extends TwoWorkers {
  @Test
  void aSessionThatDiesAfterItsClaimLeavesTheRequestNewAndTheNameOfItsMachine() throws Exception {
    loseAnAttempt();
    assertThat(row(1)).isEqualTo(begunBy("a", 1, 0));
    assertThat(site.locks()).isZero();
  }

  @Test
  void aSessionThatDiesAtItsWorkLeavesAllRequestsNew() throws Exception {
    site.updates("x", 2);
    Unit unit = unit(a, 1);
    site.terminate("a");
    assertThat(rows()).containsExactly(begunBy("a", 1, 0), untouched(2));
    assertThat(site.locks()).isZero();
    assertThat(site.fate(unit)).isEqualTo("aborted");
    assertThatThrownBy(() -> unit.complete(a)).isInstanceOf(DatabaseException.class);
    assertThat(site.statuses()).containsOnly("new");
  }

  enum Ending {
    SETTLE,
    SETTLE_AND_CLAIM,
    FAIL,
    FIND,
    POSTPONE,
    TAKE_BACK;

    void of(Unit unit, RequestSession worker) {
      switch (this) {
        case SETTLE -> unit.complete(worker);
        case SETTLE_AND_CLAIM ->
            assertThat(unit.completeAndClaim(worker, UUID.randomUUID(), 0)).isEqualTo(NOTHING);
        case FAIL -> unit.settle(worker, List.of(2L), Map.of(1L, "because"));
        case FIND ->
            worker.settleFound(
                unit.begun(), unit.work(), new UnitVerdict.AppliedEarlier(List.of(2L)));
        case POSTPONE -> unit.postpone(worker, Duration.ofHours(1), 10);
        case TAKE_BACK -> worker.takeBack(unit.begun());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void eachEndingLetsTheEntityGo(Ending ending) throws Exception {
    site.updates("x", 2);
    Unit unit = unit(a, 1);
    assertThat(site.locks()).isEqualTo(1);
    ending.of(unit, a);
    assertThat(site.locks()).isZero();
    assertThat(site.row(1).begunBy()).isNull();
    site.create("y");
    unit(a, 3).complete(a);
  }

  @ParameterizedTest
  @EnumSource
  void aSessionThatDiesInTheMiddleOfAnEndingLeavesEverythingAsItWas(Ending ending)
      throws Exception {
    site.run(
        "CREATE TABLE public.slow ()",
        """
        CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          PERFORM pg_sleep(60) FROM public.slow;
          RETURN NULL;
        END $$""",
        "CREATE TRIGGER linger AFTER UPDATE ON handoff.orders FOR EACH ROW"
            + " EXECUTE FUNCTION linger()");
    site.updates("x", 2);
    Unit unit = unit(a, 1);
    site.run("INSERT INTO public.slow DEFAULT VALUES");
    try {
      CompletableFuture<Void> end = CompletableFuture.runAsync(() -> ending.of(unit, a));
      while (site.ask("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'")
          .equals("0")) {
        assertThat(end).isNotDone();
      }
      site.terminate("a");
      assertThatThrownBy(() -> end.get(1, TimeUnit.MINUTES))
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(DatabaseException.class);
    } finally {
      site.run(
          "DROP TRIGGER linger ON handoff.orders",
          "DROP FUNCTION linger",
          "DROP TABLE public.slow");
    }
    assertThat(rows()).containsExactly(begunBy("a", 1, 0), untouched(2));
    assertThat(site.locks()).isZero();
  }

  @Test
  void whatWasSettledBeforeTheSessionDiedStaysSettled() throws Exception {
    site.update("x");
    unit(a, 1).complete(a);
    site.terminate("a");
    assertThat(site.statuses()).containsExactly("complete");
  }

  @Test
  void aSessionThatIsAbortedLetsItsEntityGo() throws Exception {
    site.update("x");
    Claim.Begun begun = unit(a, 1).begun();
    a.abort();
    while (site.locks() > 0) {
      Thread.onSpinWait();
    }
    b.disown(Attempt.at(begun));
    assertThat(row(1)).isEqualTo(begunBy("a", 1, 0));
    RequestSession again = site.worker("a");
    again.disown(Attempt.at(begun));
    assertThat(row(1)).isEqualTo(untouched(1));
    unit(b, 1).complete(b);
  }

  @Test
  void whatWasBegunWithoutAnAnswerIsFoundByItsProcess() throws Exception {
    site.update("x");
    site.update("y");
    UUID process = UUID.randomUUID();
    a.claim(process, 1, NOBODY, false);
    site.terminate("a");
    assertThat(row(2).begunBy()).isEqualTo("a");
    RequestSession again = site.worker("a");
    assertThat(again.disown(Attempt.behind(0, UUID.randomUUID()))).isTrue();
    assertThat(again.disown(Attempt.behind(2, process))).isTrue();
    assertThat(row(2).begunBy()).isEqualTo("a");
    assertThat(again.disown(Attempt.behind(0, process))).isTrue();
    assertThat(rows()).containsExactly(untouched(1), untouched(2));
  }

  @Test
  void aSessionThatDiesWhenItHasSettledAndClaimedLeavesOneSettledAndTheOtherBegun()
      throws Exception {
    site.update("x");
    site.update("y");
    assertThat(unit(a, 1).completeAndClaim(a, UUID.randomUUID(), 1))
        .isInstanceOf(Claim.Begun.class);
    site.terminate("a");
    assertThat(site.statuses()).containsExactly("complete", "new");
    assertThat(row(2).begunBy()).isEqualTo("a");
    assertThat(site.locks()).isZero();
  }

  @Test
  void whatOthersHaveTakenUpOrSettledIsNotDisowned() throws Exception {
    site.update("x");
    Claim.Begun lost = begin(a, 1);
    RequestSession again = restarted();
    Unit second = unit(again, 1);
    try (RequestSession third = site.worker("a")) {
      third.disown(Attempt.at(lost));
      assertThat(row(1)).isEqualTo(begunBy("a", 2, 1));
      second.complete(again);
      third.disown(Attempt.at(lost));
      assertThat(site.row(1).attempts()).isEqualTo(2);
    }
  }

  @Test
  void aRequestThatAMachineDiedOfIsTakenUpByThatMachineAloneForTenSeconds() throws Exception {
    loseAnAttempt();
    assertThat(claim(b, 0)).isEqualTo(NOTHING);
    begunSecondsAgo(9);
    assertThat(claim(b, 0)).isEqualTo(NOTHING);
    assertThat(begin(site.worker("a"), 1).lostAttempts()).isEqualTo(1);
    site.terminate("a");
    begunSecondsAgo(11);
    Claim.Begun begun = begin(b, 1);
    assertThat(begun.lostAttempts()).isEqualTo(2);
    assertThat(begun.attempts()).isEqualTo(3);
    assertThat(begun.mayBePoison()).isTrue();
    assertThat(row(1)).isEqualTo(begunBy("b", 3, 2));
  }

  @Test
  void aRequestIsLeftToAWorkerThatLivesHoweverLongItTakes() throws Exception {
    site.update("x");
    Claim.Begun begun = begin(a, 1);
    begunSecondsAgo(3_600);
    assertThat(claim(b, 0)).isEqualTo(new Claim.PassedOver(1, Set.of("x")));
    RequestSite.lock(a, begun);
    assertThat(claim(b, 0)).isEqualTo(new Claim.PassedOver(1, Set.of("x")));
    assertThat(row(1)).isEqualTo(begunBy("a", 1, 0));
  }

  @Test
  void whatMayBePoisonIsNotForWhoHasNoPermit() throws Exception {
    loseAnAttempt();
    site.update("x");
    site.update("y");
    RequestSession again = site.worker("a");
    assertThat(again.claim(UUID.randomUUID(), 0, NOBODY, false))
        .isInstanceOfSatisfying(Claim.Begun.class, begun -> assertThat(begun.id()).isEqualTo(3));
    unit(again, 1).complete(again);
  }

  @Test
  void afterALostAttemptTheRequestsOfTheEntityAreTriedOneByOne() throws Exception {
    site.create("x");
    unit(a, 1).complete(a);
    site.updates("x", 3);
    unit(a, 2);
    RequestSession again = restarted();
    for (long id = 2; id <= 4; id++) {
      assertThat(again.claim(UUID.randomUUID(), 0, NOBODY, false))
          .isNotInstanceOf(Claim.Begun.class);
      Unit alone = unit(again, id);
      assertThat(alone.begun().mayBePoison()).isTrue();
      assertThat(alone.work().ids()).containsExactly(id);
      alone.complete(again);
    }
    site.updates("x", 2);
    assertThat(unit(b, 5).work().ids()).containsExactly(5L, 6L);
  }

  /** Else the requests of an entity with enough new ones would be taken for poison for ever. */
  @Test
  void aRequestThatCameAfterAnAttemptWasFoundLostIsNotTakenForPoison() throws Exception {
    site.updates("x", 2);
    unit(a, 1);
    RequestSession again = restarted();
    unit(again, 1).complete(again);
    site.updates("x", 2);

    Unit alone = unit(again, 2);
    assertThat(alone.begun().mayBePoison()).isTrue();
    alone.complete(again);
    assertThat(unit(b, 3).work().ids()).containsExactly(3L, 4L);
  }

  @Test
  void aRequestThatCameWellAfterTheAttemptWasBegunIsNotTakenForPoison() throws Exception {
    site.update("x");
    begin(a, 1);
    begunSecondsAgo(5);
    site.update("x");
    RequestSession again = restarted();
    begin(again, 1);
    assertThat(site.row(2).lostAttempts()).isZero();
  }

  @Test
  void noMoreRequestsAreTakenForPoisonThanAUnitCanHaveHad() throws Exception {
    site.updates("x", 3000);
    begin(a, 1);
    begin(restarted(), 1);
    assertThat(site.ask("SELECT count(*) FROM handoff.orders WHERE deaths > 0")).isEqualTo("1000");
    assertThat(site.ask("SELECT max(id) FROM handoff.orders WHERE deaths > 0")).isEqualTo("1000");
  }

  @Test
  void thePoisonMessageIsFoundAmongThoseOfItsUnit() throws Exception {
    site.updates("x", 3);
    unit(a, 1);
    RequestSession again = restarted();
    unit(again, 1).complete(again);
    for (int lost = 1; lost <= 2; lost++) {
      assertThat(begin(again, 2).lostAttempts()).isEqualTo(lost);
      again = restarted();
    }
    Unit last = unit(again, 2);
    assertThat(last.begun().lostAttempts()).isEqualTo(3);
    last.settle(again, List.of(), Map.of(2L, "given up"));
    Unit innocent = unit(again, 3);
    assertThat(innocent.begun().lostAttempts()).isEqualTo(1);
    innocent.complete(again);
    assertThat(site.statuses()).containsExactly("complete", "error", "complete");
  }

  @Test
  void whatMayBePoisonStaysSoWhenItIsPostponedAndItsFellowsWait() throws Exception {
    loseAnAttempt();
    site.update("x");
    RequestSession again = site.worker("a");
    unit(again, 1).postpone(again, Duration.ZERO, 10);
    assertThat(site.row(1).lostAttempts()).isEqualTo(1);
    assertThat(claim(b, 1)).isEqualTo(NOTHING);
    assertThat(b.claim(UUID.randomUUID(), 0, NOBODY, false)).isEqualTo(NOTHING);
  }

  @Test
  void whatMayBePoisonIsClaimedThoughItsFellowsAreLockedByAnother() throws Exception {
    loseAnAttempt();
    site.updates("x", 2);
    try (Connection other = site.locking(2)) {
      RequestSession again = site.worker("a");
      unit(again, 1).complete(again);
      other.rollback();
    }
    assertThat(site.row(2).lostAttempts()).isZero();
    assertThat(site.row(3).lostAttempts()).isEqualTo(1);
  }

  private static void begunSecondsAgo(int seconds) throws Exception {
    site.run("UPDATE handoff.orders SET begun_at = now() - interval '" + seconds + " s'");
  }

  /** A machine dies with the first request begun. */
  private void loseAnAttempt() throws Exception {
    site.update("x");
    begin(a, 1);
    site.terminate("a");
  }

  private static RequestSession restarted() throws Exception {
    site.terminate("a");
    return site.worker("a");
  }

  private static Row begunBy(String machine, int attempts, int lostAttempts) {
    return new Row(1, "new", null, null, attempts, lostAttempts, machine, false, false, null);
  }

  private static Row row(long id) throws Exception {
    return nameless(site.row(id));
  }

  private static List<Row> rows() throws Exception {
    return site.rows().stream().map(RequestLossIT::nameless).toList();
  }

  /** What is begun has a process, and these stories do not care which. */
  private static Row nameless(Row row) {
    assertThat(row.process() == null).isEqualTo(row.attempts() == 0 || row.begunBy() == null);
    return row.withoutProcess();
  }
}
