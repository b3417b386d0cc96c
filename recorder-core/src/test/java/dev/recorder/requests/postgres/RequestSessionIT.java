package dev.recorder.requests.postgres;

import static dev.recorder.requests.postgres.RequestSite.begin;
import static dev.recorder.requests.postgres.RequestSite.unit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.requests.Claim;
import dev.recorder.requests.Prefetched;
import dev.recorder.requests.Request;
import dev.recorder.requests.RequestMark;
import dev.recorder.requests.RequestStatus;
import dev.recorder.requests.RequestType;
import dev.recorder.requests.TestRoom;
import dev.recorder.requests.UnitVerdict;
import dev.recorder.requests.WorkUnit;
import dev.recorder.requests.postgres.RequestSite.Row;
import dev.recorder.requests.postgres.RequestSite.Unit;
import dev.recorder.schema.PayloadLimit;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests a worker gets, in which units, and what becomes of them, on a real server. */
public class RequestSessionIT extends TwoWorkers {
  @Test
  void anEmptyTableHasNothingToClaim() {
    assertThat(claim(a, 0)).isEqualTo(NOTHING);
  }

  @Test
  void requestsAreClaimedInTheOrderOfTheirIds() throws Exception {
    for (int i = 1; i <= 4; i++) {
      site.create("x" + i);
    }
    for (int id = 1; id <= 4; id++) {
      unit(a, id).complete(a);
    }
    assertThat(claim(a, 0)).isEqualTo(NOTHING);
    assertThat(site.statuses()).containsOnly("complete");
  }

  @Test
  void whatIsBeforeTheLineIsLeftForTheNextPass() throws Exception {
    site.create("x");
    site.create("y");
    assertThat(begin(a, 1, 2).entity()).isEqualTo("y");
    assertThat(claim(b, 2)).isEqualTo(NOTHING);
    assertThat(begin(b, 0, 1).entity()).isEqualTo("x");
  }

  @Test
  void aLowerIdThatIsCommittedLateIsFoundByTheNextPassAndNotByThisOne() throws Exception {
    try (Connection slow = site.transaction()) {
      long late = RequestSite.insert(slow, RequestSite.ORDERS, "create", "late", "{}");
      long early = site.create("early");
      assertThat(late).isLessThan(early);
      unit(a, early).complete(a);
      slow.commit();
      assertThat(claim(a, early)).isEqualTo(NOTHING);
      unit(a, late).complete(a);
    }
  }

  @Test
  void aRequestThatSomebodyHasLockedIsSkipped() throws Exception {
    site.create("x");
    site.create("y");
    try (Connection other = site.locking(1)) {
      assertThat(claim(a, 0)).isEqualTo(new Claim.PassedOver(1, NOBODY));
      assertThat(begin(a, 1, 2).entity()).isEqualTo("y");
      other.rollback();
    }
    assertThat(begin(b, 0, 1).entity()).isEqualTo("x");
  }

  @Test
  void noRequestOfAnEntityIsClaimedWhileOneIsBegun() throws Exception {
    site.update("x");
    begin(a, 1);
    site.update("x");
    assertThat(claim(b, 0)).isEqualTo(NOTHING);
    site.create("y");
    assertThat(begin(b, 0, 3).entity()).isEqualTo("y");
  }

  @Test
  void aRequestThatIsBegunIsPassedOverByOthersOfTheSameMachine() throws Exception {
    site.update("x");
    begin(a, 1);
    try (RequestSession other = site.worker("a")) {
      assertThat(claim(other, 0)).isEqualTo(new Claim.PassedOver(1, Set.of("x")));
      assertThat(other.claim(UUID.randomUUID(), 0, NOBODY, false)).isEqualTo(NOTHING);
    }
    assertThat(site.row(1).attempts()).isEqualTo(1);
  }

  @Test
  void whereOthersHoldTheEntitiesTheClaimSaysHowFarItLooked() throws Exception {
    long seed = SchemaNames.DEFAULT.entityLockSeed(RequestSite.LOCK_ID);
    try (Connection others = site.database.connect()) {
      for (int i = 1; i <= 70; i++) {
        String entity = "x" + i % 3;
        site.update(entity);
        RequestSite.run(
            others, "SELECT pg_advisory_lock(hashtextextended('%s', %d))".formatted(entity, seed));
      }
      assertThat(claim(a, 0)).isEqualTo(new Claim.PassedOver(64, Set.of("x0", "x1", "x2")));
      assertThat(claim(a, 64)).isEqualTo(new Claim.PassedOver(70, Set.of("x0", "x1", "x2")));
      assertThat(a.claim(UUID.randomUUID(), 0, Set.of("x0", "x1", "x2"), true)).isEqualTo(NOTHING);
      site.update("y");
      assertThat(begin(a, 64, 71).entity()).isEqualTo("y");
    }
  }

  @Test
  void aRowThatIsLockedWhileItsEntityIsFreeIsPassedOverWithoutItsEntity() throws Exception {
    site.updates("x", 2);
    try (Connection other = site.locking(1)) {
      assertThat(claim(a, 0)).isEqualTo(new Claim.PassedOver(1, NOBODY));
      assertThat(site.locks()).isZero();
      assertNotToBeHad(a, begin(a, 1, 2));
    }
    assertThat(site.rows()).containsExactly(untouched(1), untouched(2));
  }

  @Test
  void aRequestIsLeftUntilItsTime() throws Exception {
    site.create("x");
    site.run("UPDATE handoff.orders SET not_before = clock_timestamp() + interval '1 hour'");
    assertThat(claim(a, 0)).isEqualTo(NOTHING);
    site.run("UPDATE handoff.orders SET not_before = clock_timestamp() - interval '1 ms'");
    unit(a, 1).complete(a);
  }

  @Test
  void whileOneRequestOfAnEntityWaitsItsOthersWaitToo() throws Exception {
    site.update("x");
    unit(a, 1).postpone(a, Duration.ofHours(1), 10);
    site.update("x");
    site.update("y");
    assertThat(begin(b, 0, 3).entity()).isEqualTo("y");
    site.run("UPDATE handoff.orders SET not_before = clock_timestamp() WHERE id = 1");
    assertThat(unit(a, 1).work().ids()).containsExactly(1L, 2L);
  }

  @Test
  void anUpdateWaitsAsLongAsItsCreateIsOpen() throws Exception {
    site.update("x");
    site.create("x");
    Unit create = unit(a, begin(a, 0, 2));
    assertThat(create.work().isCreate()).isTrue();
    assertThat(create.work().ids()).containsExactly(2L);
    assertThat(claim(b, 0)).isEqualTo(NOTHING);
    create.complete(a);
    unit(b, 1).complete(b);
  }

  @Test
  void largePayloadsAreReadWhenThereIsRoomForAllOfThem() throws Exception {
    List<String> payloads = List.of(text(70_002), text(3), text(80_002));
    for (String payload : payloads) {
      site.insert("update", "x", payload);
    }
    Claim.Begun begun = begin(a, 0, 1);
    TestRoom room = TestRoom.afterAWait();

    WorkUnit unit = a.lock(begun, room).orElseThrow();

    assertThat(room.asked()).isEqualTo(3 + 70_002 + 80_002);
    assertThat(unit.requests()).extracting(Request::payload).isEqualTo(payloads);
    new Unit(begun, unit).complete(a);
  }

  @Test
  void aUnitForWhosePayloadsThereIsNoRoomIsGivenBack() throws Exception {
    site.insert("create", "x", text(70_000));
    Claim.Begun begun = begin(a, 0, 1);

    assertThat(a.lock(begun, TestRoom.none())).isEmpty();

    assertThat(a.takeBack(begun)).isTrue();
    unit(b, 1).complete(b);
  }

  @ParameterizedTest
  @ValueSource(strings = {"complete", "error"})
  void anUpdateGoesAheadOnceItsCreateIsSettled(String status) throws Exception {
    site.create("x");
    site.update("x");
    site.run("UPDATE handoff.orders SET request_status = '" + status + "' WHERE id = 1");
    Unit unit = unit(a, 2);
    assertThat(unit.work().isCreate()).isFalse();
    unit.complete(a);
    assertThat(site.statuses()).containsExactly(status, "complete");
  }

  @Test
  void anUpdateOfAnEntityWithoutACreateGoesAhead() throws Exception {
    site.update("x");
    unit(a, 1).complete(a);
    assertThat(site.statuses()).containsExactly("complete");
  }

  @Test
  void anUpdateWhoseCreateIsLockedByAnotherIsGivenBack() throws Exception {
    site.create("x");
    unit(a, 1).complete(a);
    site.update("x");
    try (Connection other = site.locking(1)) {
      // Returns although the lock is kept: nobody is waited for.
      assertNotToBeHad(a, begin(a, 2));
      assertThat(site.locks()).isZero();
      assertThat(site.row(2)).isEqualTo(untouched(2));
    }
    unit(b, 2).complete(b);
  }

  @Test
  void anUpdateOneOfWhoseFellowsIsLockedByAnotherIsGivenBack() throws Exception {
    site.updates("x", 2);
    try (Connection other = site.locking(2)) {
      assertNotToBeHad(a, begin(a, 1));
    }
    assertThat(site.rows()).containsExactly(untouched(1), untouched(2));
  }

  @Test
  void aCreateThatComesUpAfterTheClaimOfAnUpdateIsWaitedFor() throws Exception {
    site.update("x");
    Claim.Begun begun = begin(a, 1);
    site.create("x");
    assertNotToBeHad(a, begun);
    assertThat(site.rows()).containsExactly(untouched(1), untouched(2));
  }

  @ParameterizedTest
  @CsvSource({
    "UPDATE handoff.orders SET request_status = 'error', error",
    "DELETE FROM handoff.orders,"
  })
  void aRequestThatIsCancelledOrDeletedAfterItsClaimIsLeft(String sql, String left)
      throws Exception {
    site.update("x");
    Claim.Begun begun = begin(a, 1);
    site.run(sql);
    assertNotToBeHad(a, begun);
    assertThat(site.locks()).isZero();
    assertThat(site.statuses()).isEqualTo(left == null ? List.of() : List.of(left));
  }

  @Test
  void allOutstandingUpdatesOfAnEntityAreOneUnit() throws Exception {
    site.create("x");
    unit(a, 1).complete(a);
    site.insert("update", "x", "{\"a\": 1}");
    site.update("y");
    site.insert("update", "x", null);
    site.insert("update", "x", "{\"a\":\t3}");
    Unit unit = unit(a, 2);
    assertThat(unit.work().requests())
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("digest")
        .containsExactly(
            new Request(2, RequestType.UPDATE, "{\"a\": 1}", 0),
            new Request(4, RequestType.UPDATE, null, 0),
            new Request(5, RequestType.UPDATE, "{\"a\":\t3}", 0));
    unit.complete(a);
    assertThat(site.rows("WHERE id IN (2, 4, 5)"))
        .containsExactly(completed(2, unit), completed(4, unit), completed(5, unit));
    assertThat(site.row(3).status()).isEqualTo("new");
    assertThat(site.row(1).process()).isNotEqualTo(unit.work().process());
  }

  @Test
  void anUpdateThatArrivesDuringTheUnitIsForTheNext() throws Exception {
    site.update("x");
    Unit first = unit(a, 1);
    site.update("x");
    assertThat(claim(b, 0)).isEqualTo(NOTHING);
    first.complete(a);
    assertThat(site.statuses()).containsExactly("complete", "new");
    Unit second = unit(b, 2);
    assertThat(second.work().fence()).isGreaterThan(first.work().fence());
  }

  @Test
  void aSettlementCanClaimTheNextUnitOfAnotherEntity() throws Exception {
    site.create("x");
    site.create("y");
    Unit unit = unit(a, 1);
    UUID process = UUID.randomUUID();
    assertThat(unit.completeAndClaim(a, process, 1))
        .isEqualTo(new Claim.Begun(2, "y", RequestType.CREATE, 1, 0, process));
    assertThat(site.statuses()).containsExactly("complete", "new");
    assertThat(site.row(2).attempts()).isEqualTo(1);
    assertThat(site.row(2).process()).isEqualTo(process);
    assertThat(site.locks()).isEqualTo(1);
    site.update("x");
    unit(b, 3).complete(b);
    assertThat(claim(b, 0)).isEqualTo(NOTHING);
  }

  @Test
  void aSettlementCanClaimTheNextUnitOfTheSameEntity() throws Exception {
    site.create("x");
    Unit unit = unit(a, 1);
    site.update("x");
    UUID process = UUID.randomUUID();
    Claim claim = unit.completeAndClaim(a, process, 1);
    assertThat(claim).isEqualTo(new Claim.Begun(2, "x", RequestType.UPDATE, 1, 0, process));
    assertThat(claim(b, 0)).isEqualTo(NOTHING);
    unit(a, (Claim.Begun) claim).complete(a);
    assertThat(site.statuses()).containsOnly("complete");
    assertThat(site.locks()).isZero();
  }

  @Test
  void aSettlementThatFindsNothingToClaimIsOneAllTheSame() throws Exception {
    site.update("x");
    site.update("y");
    Unit ofOther = unit(b, 1);
    Unit unit = unit(a, 2);
    assertThat(unit.completeAndClaim(a, UUID.randomUUID(), 0)).isEqualTo(NOTHING);
    assertThat(site.statuses()).containsExactly("new", "complete");
    assertThat(site.locks()).isEqualTo(1);
    ofOther.complete(b);
    site.update("y");
    unit = unit(a, 3);
    assertThat(unit.completeAndClaim(a, UUID.randomUUID(), 3)).isEqualTo(NOTHING);
    assertThat(site.statuses()).containsOnly("complete");
    assertThat(site.locks()).isZero();
  }

  @Test
  void aClaimLooksAtABoundedNumberOfRowsThatWait() throws Exception {
    site.run(
        "INSERT INTO handoff.orders (request_type, entity_id, payload, not_before)"
            + " SELECT 'update', 'x', '{}', CASE WHEN i = 1 THEN now() + interval '1 h' END"
            + " FROM generate_series(1, 5001) i");
    site.update("y");
    assertThat(claim(a, 0)).isEqualTo(new Claim.PassedOver(5_000, Set.of()));
    assertThat(begin(a, 5_000, 5_002).entity()).isEqualTo("y");
  }

  @Test
  void aClaimLooksAtABoundedNumberOfRowsOfEntitiesThatArePassedOver() throws Exception {
    site.run(
        "INSERT INTO handoff.orders (request_type, entity_id, payload)"
            + " SELECT 'update', 'x', '{}' FROM generate_series(1, 5001)");
    site.update("y");
    assertThat(a.claim(UUID.randomUUID(), 0, Set.of("x"), true))
        .isEqualTo(new Claim.PassedOver(5_000, Set.of()));
    UUID process = UUID.randomUUID();
    assertThat(a.claim(process, 5_000, Set.of("x"), true))
        .isEqualTo(new Claim.Begun(5_002, "y", RequestType.UPDATE, 1, 0, process));
  }

  @Test
  void aLookAheadSeesTheCreatesUpToTheFirstRowThatIsNone() throws Exception {
    for (String entity : List.of("a", "b", "c", "d")) {
      site.create(entity);
    }
    site.update("a");
    site.create("e");
    begin(b, 2);
    site.run("UPDATE handoff.orders SET not_before = now() + interval '1 h' WHERE id = 3");
    assertThat(a.lookAhead(0, 10)).containsExactly(new Prefetched(1, "a"), new Prefetched(4, "d"));
    assertThat(a.lookAhead(1, 10)).containsExactly(new Prefetched(4, "d"));
    assertThat(a.lookAhead(0, 1)).containsExactly(new Prefetched(1, "a"));
    assertThat(a.lookAhead(4, 10)).isEmpty();
    assertThat(a.lookAhead(6, 10)).isEmpty();
  }

  @Test
  void aPrefetchedCreateCanBeClaimedAloneOrWithASettlement() throws Exception {
    site.create("x");
    site.create("y");
    UUID first = UUID.randomUUID();
    Claim claim = a.claim(first, new Prefetched(1, "x"));
    assertThat(claim).isEqualTo(new Claim.Begun(1, "x", RequestType.CREATE, 1, 0, first));
    Unit unit = unit(a, (Claim.Begun) claim);
    UUID second = UUID.randomUUID();
    assertThat(a.settleAndClaim(unit.begun(), unit.work(), second, new Prefetched(2, "y")))
        .isEqualTo(new Claim.Begun(2, "y", RequestType.CREATE, 1, 0, second));
    assertThat(site.statuses()).containsExactly("complete", "new");
    assertThat(site.row(2).attempts()).isEqualTo(1);
    assertThat(site.row(2).begunBy()).isEqualTo("a");
    assertThat(site.locks()).isEqualTo(1);
  }

  @Test
  void aPrefetchedCreateThatIsGoneIsPassedOverAndLeavesNoLock() throws Exception {
    site.create("settled");
    unit(b, 1).complete(b);
    site.create("begun");
    begin(b, 2);
    site.update("no create");
    site.create("locked");
    try (Connection operator = site.locking(4)) {
      for (Prefetched gone :
          List.of(
              new Prefetched(1, "settled"),
              new Prefetched(2, "begun"),
              new Prefetched(3, "no create"),
              new Prefetched(4, "locked"),
              new Prefetched(5, "never there"))) {
        Claim claim = a.claim(UUID.randomUUID(), gone);
        assertThat(claim).isEqualTo(new Claim.PassedOver(gone.id(), Set.of()));
        assertThat(site.locks()).as(gone.entity()).isEqualTo(1);
      }
    }
  }

  @Test
  void aPrefetchedCreateOfAnEntityThatAnotherWorksOnIsPassedOver() throws Exception {
    site.update("x");
    unit(b, 1);
    site.create("x");
    assertThat(a.claim(UUID.randomUUID(), new Prefetched(2, "x")))
        .isEqualTo(new Claim.PassedOver(2, Set.of()));
    assertThat(site.locks()).isEqualTo(1);
  }

  @Test
  void aLowerUpdateThatIsCommittedLateJoinsTheUnit() throws Exception {
    try (Connection slow = site.transaction()) {
      RequestSite.insert(slow, RequestSite.ORDERS, "update", "x", "{}");
      site.update("x");
      Claim.Begun begun = begin(a, 2);
      slow.commit();
      assertThat(RequestSite.lock(a, begun).orElseThrow().ids()).containsExactly(1L, 2L);
    }
  }

  @Test
  void fiveThousandUpdatesComeInUnitsOfAThousand() throws Exception {
    site.updates("x", 5000);
    long line = 0;
    for (int i = 0; i < 5; i++) {
      Unit unit = unit(a, begin(a, line, line + 1));
      assertThat(unit.work().ids()).hasSize(1_000).startsWith(line + 1).endsWith(line + 1_000);
      unit.complete(a);
      line += 1_000;
    }
    assertThat(claim(a, 0)).isEqualTo(NOTHING);
    assertThat(site.ask("SELECT count(DISTINCT process_id) FROM handoff.orders")).isEqualTo("5");
  }

  @Test
  void aUnitWhoseFirstThousandDoNotHoldTheClaimedOneIsLeftForTheNextPass() throws Exception {
    site.updates("x", 1001);
    assertNotToBeHad(a, begin(a, 1_000, 1_001));
    assertThat(unit(a, 1).work().ids()).hasSize(1_000);
  }

  @Test
  void aUnitHasNoMoreThanAMebibyteOfPayload() throws Exception {
    for (int i = 0; i < 5; i++) {
      site.insert("update", "x", text(300 << 10));
    }
    Unit first = unit(a, 1);
    assertThat(first.work().ids()).containsExactly(1L, 2L, 3L);
    assertThat(first.work().requests().get(2).payload()).isEqualTo(text(300 << 10));
    first.complete(a);
    assertThat(unit(a, 4).work().ids()).containsExactly(4L, 5L);
  }

  @Test
  void aPayloadOverTheBoundIsAUnitOfItsOwn() throws Exception {
    site.update("x");
    site.insert("update", "x", text(17 << 20));
    site.update("x");
    unit(a, 1).complete(a);
    Unit large = unit(a, 2);
    assertThat(large.work().ids()).containsExactly(2L);
    large.complete(a);
    assertThat(unit(a, 3).work().ids()).containsExactly(3L);
  }

  @Test
  void payloadsBeyondTheBoundAreNotEvenUnpacked() throws Exception {
    // Without the check, which would unpack each of them to see how long it is.
    site.run("ALTER TABLE handoff.orders DROP CONSTRAINT " + PayloadLimit.NAME);
    site.insert("update", "x", text(512 << 10));
    site.run(
        "INSERT INTO handoff.orders (request_type, entity_id, payload)"
            + " SELECT 'update', 'x', payload FROM handoff.orders, generate_series(1, 999)");
    assertThat(unit(a, 1).work().ids()).containsExactly(1L, 2L);
  }

  @Test
  void onlyNewAndSettledAreEverSeenFromOutside() throws Exception {
    site.updates("x", 2);
    assertThat(site.statuses()).containsExactly("new", "new");
    Claim.Begun begun = begin(a, 1);
    assertThat(site.statuses()).containsExactly("new", "new");
    Unit unit = unit(a, begun);
    assertThat(site.statuses()).containsExactly("new", "new");
    assertThat(site.fate(unit)).isEqualTo("in progress");
    unit.complete(a);
    assertThat(site.statuses()).containsExactly("complete", "complete");
    assertThat(site.fate(unit)).isEqualTo("committed");
  }

  @Test
  void anAttemptIsCountedForAllToSeeBeforeTheWorkBegins() throws Exception {
    site.update("x");
    begin(a, 1);
    assertThat(site.row(1).withoutProcess())
        .isEqualTo(new Row(1, "new", null, null, 1, 0, "a", false, false, null));
  }

  @Test
  void aClaimDoesNotWaitForTheDiskAndASettlementDoes() throws Exception {
    site.run(
        "CREATE TABLE public.commits (id bigint, mode text)",
        """
        CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          INSERT INTO public.commits VALUES (NEW.id, current_setting('synchronous_commit'));
          RETURN NULL;
        END $$""",
        "CREATE CONSTRAINT TRIGGER note AFTER UPDATE ON handoff.orders DEFERRABLE INITIALLY"
            + " DEFERRED FOR EACH ROW EXECUTE FUNCTION note()");
    try {
      site.update("x");
      Unit unit = unit(a, 1);
      assertThat(site.ask("SELECT string_agg(mode, ',') FROM public.commits")).isEqualTo("off");
      unit.complete(a);
      assertThat(site.ask("SELECT string_agg(mode, ',') FROM public.commits")).isEqualTo("off,on");
    } finally {
      site.run(
          "DROP TRIGGER note ON handoff.orders", "DROP FUNCTION note", "DROP TABLE public.commits");
    }
  }

  @Test
  void whatIsTakenBackIsAsIfItHadNeverBeenBegun() throws Exception {
    site.updates("x", 2);
    a.takeBack(begin(a, 1));
    assertThat(site.rows()).containsExactly(untouched(1), untouched(2));
    a.takeBack(unit(a, 1).begun());
    assertThat(site.rows()).containsExactly(untouched(1), untouched(2));
    assertThat(site.locks()).isZero();
    unit(b, 1).complete(b);
    assertThat(site.row(1).attempts()).isEqualTo(1);
  }

  @Test
  void someRequestsOfAUnitFailAndSomeAreLeft() throws Exception {
    site.updates("x", 4);
    Unit unit = unit(a, 1);
    unit.settle(a, List.of(1L), Map.of(2L, "no 'x', \"y\" \\ {z},", 3L, ""));
    assertThat(site.statuses()).containsExactly("complete", "error", "error", "new");
    assertThat(site.row(2)).isEqualTo(failed(2, unit, "no 'x', \"y\" \\ {z},"));
    assertThat(site.row(3)).isEqualTo(failed(3, unit, ""));
    assertThat(site.row(4)).isEqualTo(untouched(4));
    unit(b, 4).complete(b);
  }

  @Test
  void whereTheBegunOneIsLeftItIsFreeAgain() throws Exception {
    site.updates("x", 2);
    unit(a, 1).settle(a, List.of(2L), Map.of());
    assertThat(site.statuses()).containsExactly("new", "complete");
    assertThat(site.row(1)).isEqualTo(untouched(1));
    assertThat(begin(b, 1).lostAttempts()).isZero();
  }

  @Test
  void aTextThatNoColumnCouldHoldIsStillAnError() throws Exception {
    site.update("x");
    unit(a, 1).settle(a, List.of(), Map.of(1L, "bad\u0000name \ud800 " + text(20 << 20)));
    assertThat(site.row(1).status()).isEqualTo("error");
    assertThat(site.row(1).error()).startsWith("bad").hasSizeLessThan(20_000);
    site.update("x");
    Unit other = unit(a, 2);
    assertThat(a.postpone(other.begun(), other.work(), "\u0000", Duration.ZERO, Integer.MAX_VALUE))
        .isZero();
  }

  @Test
  void whatIsPostponedKeepsItsReasonAndWaits() throws Exception {
    site.updates("x", 2);
    Unit unit = unit(a, 1);
    assertThat(unit.postpone(a, Duration.ofHours(1), 10)).isZero();
    assertThat(site.locks()).isZero();
    assertThat(site.rows()).containsExactly(postponed(1, 1), postponed(2, 1));
    assertThat(claim(b, 0)).isEqualTo(NOTHING);
  }

  @Test
  void eachRequestOfAUnitHasItsOwnNumberOfAttempts() throws Exception {
    site.update("x");
    unit(a, 1).postpone(a, Duration.ZERO, 3);
    site.update("x");
    unit(a, 1).postpone(a, Duration.ZERO, 3);
    Unit third = unit(a, 1);
    assertThat(third.work().requests().stream().map(Request::attempts)).containsExactly(2, 1);
    assertThat(third.postpone(a, Duration.ofHours(1), 3)).isEqualTo(1);
    assertThat(site.row(1))
        .isEqualTo(
            new Row(1, "error", third.work().process(), "not now", 3, 0, null, false, true, null));
    assertThat(site.row(2)).isEqualTo(postponed(2, 2));
  }

  @Test
  void aCompleteRequestForgetsWhyItWasPostponed() throws Exception {
    site.update("x");
    unit(a, 1).postpone(a, Duration.ZERO, 3);
    unit(a, 1).complete(a);
    assertThat(site.row(1).error()).isNull();
    assertThat(site.row(1).attempts()).isEqualTo(2);
    assertThat(site.ask("SELECT not_before FROM handoff.orders")).isNull();
  }

  @Test
  void requestsThatTurnOutToHaveTakenEffectAreCompleteAndTheOthersAsBefore() throws Exception {
    site.updates("x", 5);
    site.run(
        "UPDATE handoff.orders SET request_status = 'error', error_text = 'cancelled',"
            + " settled_at = now() WHERE id IN (1, 2)",
        "UPDATE handoff.orders SET not_before = now(), error_text = 'later' WHERE id = 4");
    Unit unit = unit(a, 3);
    a.settleFound(unit.begun(), unit.work(), new UnitVerdict.AppliedEarlier(List.of(1L, 4L)));
    assertThat(site.locks()).isZero();
    assertThat(site.statuses()).containsExactly("complete", "error", "new", "complete", "new");
    assertThat(site.row(1).error()).isNull();
    assertThat(site.row(4)).isEqualTo(completed(4, unit));
    assertThat(site.row(3)).isEqualTo(untouched(3));
    assertThat(site.row(5)).isEqualTo(untouched(5));
  }

  @Test
  void theBegunRequestMayBeAmongThoseThatTookEffect() throws Exception {
    site.updates("x", 2);
    Unit unit = unit(a, 1);
    a.settleFound(unit.begun(), unit.work(), new UnitVerdict.AppliedEarlier(List.of(1L, 2L)));
    assertThat(site.rows()).containsExactly(completed(1, unit), completed(2, unit));
    assertThat(site.locks()).isZero();
  }

  @Test
  void aHandlerMayAskForTheStatusOfAnyRequest() throws Exception {
    site.create("x");
    unit(a, 1).complete(a);
    site.update("x");
    WorkUnit unit = unit(a, 2).work();
    Map<Long, RequestMark> marks = a.of("x", List.of(1L, 2L, 99L));
    assertThat(marks).containsOnlyKeys(1L, 2L);
    assertThat(marks.get(1L).status()).isEqualTo(RequestStatus.COMPLETE);
    assertThat(marks.get(2L))
        .isEqualTo(new RequestMark(RequestStatus.NEW, unit.requests().get(0).digest()));
    assertThat(a.of("x", List.of())).isEmpty();
  }

  @Test
  void requestsOfOtherEntitiesAreNeitherToldNorSettledByTheirIds() throws Exception {
    site.update("x");
    site.update("y");
    Unit unit = unit(a, 1);
    assertThat(a.of("x", List.of(1L, 2L))).containsOnlyKeys(1L);
    a.settleFound(unit.begun(), unit.work(), new UnitVerdict.AppliedEarlier(List.of(1L, 2L)));
    assertThat(site.statuses()).containsExactly("complete", "new");
  }

  /** A table that gives ids again gives them to requests with other digests. */
  @Test
  void aRequestIsToldFromAnotherThatHadItsId() throws Exception {
    Set<Long> digests = new HashSet<>();
    String large = "\"" + "x".repeat(100_000) + "\"";
    for (String payload : List.of("{}", "{}", "{ }", large, large)) {
      site.run("TRUNCATE handoff.orders RESTART IDENTITY");
      site.insert("update", "x", payload);
      Unit first = unit(a, 1);
      long digest = first.work().requests().get(0).digest();
      digests.add(digest);
      a.takeBack(first.begun());
      site.run("UPDATE handoff.orders SET attempts = 3, error_text = 'why', begun_at = now()");
      Unit again = unit(b, 1);
      assertThat(again.work().requests().get(0).digest()).isEqualTo(digest);
      again.complete(b);
    }
    assertThat(digests).hasSize(5);
  }

  public static Stream<String> entities() {
    return Stream.of(
        "",
        " ",
        "NULL",
        "null",
        "{}",
        "{a,b}",
        "{\"a\"}",
        "a,b",
        "quote ' and \" and \\ and \\\\ and \\'",
        "braces { } and commas , and ; -- and /* and $1 and ? and ?? and :x",
        "\u0001\u0002\t\r\n\u001f\u007f",
        "Grüße, 日本語, \ud83d\ude00, e\u0301",
        "e".repeat(1_024),
        "é".repeat(512),
        "e".repeat(1_025),
        "é".repeat(513),
        noise(100_000));
  }

  @ParameterizedTest
  @MethodSource("entities")
  void anyTextCanNameAnEntity(String entity) throws Exception {
    site.create(entity);
    site.update(entity);
    site.update(entity);
    site.update("another");
    Unit create = unit(a, 1);
    assertThat(create.work().entity()).isEqualTo(entity);
    assertClaims(b, List.of(entity, "unheard of"), "another");
    create.complete(a);
    Unit update = unit(a, 2);
    boolean isKey = entity.getBytes(StandardCharsets.UTF_8).length <= 1_024;
    assertThat(update.work().ids())
        .containsExactlyElementsOf(isKey ? List.of(2L, 3L) : List.of(2L));
    update.complete(a);
    if (!isKey) {
      unit(a, 3).complete(a);
    }
    assertThat(site.rows("WHERE id <= 3")).allMatch(row -> row.status().equals("complete"));
  }

  @Test
  void allEntitiesThatCannotBeWorkedOnAreLeftOutTogether() throws Exception {
    List<String> entities = entities().toList();
    for (String entity : entities) {
      site.update(entity);
    }
    site.update("last");
    assertClaims(a, entities, "last");
    List<String> allButOne = new ArrayList<>(entities);
    for (String one : new TreeSet<>(entities)) {
      allButOne.remove(one);
      assertClaims(b, allButOne, one);
      allButOne.add(one);
    }
  }

  private static void assertClaims(RequestSession worker, List<String> passedOver, String entity) {
    assertThat(worker.claim(UUID.randomUUID(), 0, passedOver, true))
        .isInstanceOfSatisfying(
            Claim.Begun.class, begun -> assertThat(begun.entity()).isEqualTo(entity));
  }

  @Test
  void oneEntityOnlyHasOneCreate() throws Exception {
    site.create("x");
    assertThat(RequestSite.stateOf(() -> site.create("x"))).isEqualTo("23505");
  }

  private static Row completed(long id, Unit by) {
    return settled(id, "complete", by, null);
  }

  private static Row failed(long id, Unit by, String error) {
    return settled(id, "error", by, error);
  }

  /** At the first attempt. */
  private static Row settled(long id, String status, Unit by, @Nullable String error) {
    String fence = Long.toString(by.work().fence());
    return new Row(id, status, by.work().process(), error, 1, 0, null, false, true, fence);
  }

  private static Row postponed(long id, int attempts) {
    return new Row(id, "new", null, "not now", attempts, 0, null, true, false, null);
  }

  /** JSON of so many bytes. */
  private static String text(int bytes) {
    return '"' + "x".repeat(bytes - 2) + '"';
  }

  /** What does not compress. */
  private static String noise(int length) {
    return new Random(1)
        .ints(length, 'a', 'z' + 1)
        .mapToObj(Character::toString)
        .collect(Collectors.joining());
  }
}
