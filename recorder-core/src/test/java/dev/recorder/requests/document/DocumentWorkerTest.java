package dev.recorder.requests.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.handoff.RecorderName;
import dev.recorder.requests.MemoryReservation;
import dev.recorder.requests.Request;
import dev.recorder.requests.RequestMark;
import dev.recorder.requests.RequestStatus;
import dev.recorder.requests.RequestType;
import dev.recorder.requests.TestRoom;
import dev.recorder.requests.UnitVerdict;
import dev.recorder.requests.WorkUnit;
import dev.recorder.store.ObjectStore.Body;
import dev.recorder.store.ObjectStore.Changed;
import dev.recorder.store.ObjectStore.Fetched;
import dev.recorder.store.ObjectStore.PutAnswer;
import dev.recorder.store.ObjectStore.Unclear;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DocumentWorkerTest {
  private static final RecorderName NAME = new RecorderName("orders");
  private static final String KEY = "orders/e1.json";

  private final FatefulStore net = new FatefulStore();
  private final Map<Long, RequestStatus> table = new TreeMap<>();
  private long now;

  /** How much later it is each time that somebody looks. */
  private long step;

  private long fence = 100;

  /** Ids are given again in another one. */
  private int history;

  private MemoryReservation room = TestRoom.AMPLE;
  private final DocumentWorker worker =
      new DocumentWorker(
          net,
          new DocumentLayout("", "bucket", "", NAME),
          new DocumentLimits(200, Duration.ofSeconds(5)),
          () -> now += step);

  // Creates

  @Test
  void aCreateKeepsThePayloadAsItWasInserted() {
    assertThat(work(create(1, "{ \"b\": 1e5,\n  \"a\": 1, \"a\": 2 }"))).isEqualTo(complete(1));

    assertThat(text()).isEqualTo("{ \"b\": 1e5,\n  \"a\": 1, \"a\": 2 }");
    assertThat(stamp().applied().ids()).containsExactly(1L);
    assertThat(stamp().create()).isEqualTo(new CreatingRequest(1, digest(1)));
  }

  @Test
  void aCreateWithoutAPayloadMakesAnEmptyObject() {
    work(create(1, null));

    assertThat(text()).isEqualTo("{}");
  }

  @Test
  void aSecondCreateFailsAndNamesTheFirst() {
    work(create(1, "{\"a\":1}"));

    assertThat(whyFailed(work(create(2, "{\"a\":2}")), 2))
        .isEqualTo("an object is already there under orders/e1.json: request 1 created it");
    assertThat(text()).isEqualTo("{\"a\":1}");
  }

  @Test
  void aCreateFailsWhereSomebodyElseHasPutAnObject() {
    putByHand("hello");

    assertThat(whyFailed(work(create(1, "{}")), 1))
        .contains(KEY, "no create of this recorder put it there");
    assertThat(text()).isEqualTo("hello");
  }

  @Test
  void aCreateThatComesAgainRecognisesItsOwnEvenAfterUpdates() {
    work(create(1, "{\"a\":1}"));
    work(updates(2, "{\"b\":2}"));

    assertThat(work(create(1, "{\"a\":1}"))).isEqualTo(complete(1));
    assertThat(text()).isEqualTo("{\"a\":1,\"b\":2}");
  }

  @Test
  void aCreateWhoseAnswerIsLostIsRecognised() {
    net.onPut(FatefulStore.ANSWER_LOST);

    assertThat(work(create(1, "{\"a\":1}"))).isEqualTo(complete(1));
    assertThat(net.puts).hasSize(1);
  }

  @Test
  void aCreateThatDidNotArriveIsSentAgain() {
    net.onPut(FatefulStore.NOT_CARRIED_OUT);

    assertThat(work(create(1, "{\"a\":1}"))).isEqualTo(complete(1));
    assertThat(text()).isEqualTo("{\"a\":1}");
    assertThat(net.puts).hasSize(2);
  }

  @Test
  void aCreateThatUpdatesCouldNotReadFails() {
    assertThat(whyFailed(work(create(1, "\"\\ud800\"")), 1)).contains("half a character");
    assertThat(whyFailed(work(create(1, "[".repeat(1_001))), 1)).contains("payload");
    assertThat(whyFailed(work(create(1, '"' + "x".repeat(199) + '"')), 1))
        .isEqualTo("the document would have 201 bytes, the limit is 200");
    assertThat(net.store.objects()).isEmpty();
  }

  // Updates

  @Test
  void updatesAreMergedAndNamed() {
    work(create(1, "{\"a\":1}"));

    assertThat(work(updates(2, "{\"a\":2}", "{\"b\":3}"))).isEqualTo(complete(2, 3));

    assertThat(text()).isEqualTo("{\"a\":2,\"b\":3}");
    assertThat(stamp().applied().ids()).containsExactly(2L, 3L);
    assertThat(stamp().create()).isEqualTo(new CreatingRequest(1, digest(1)));
    assertThat(stamp().fence()).isEqualTo(fence);
  }

  @Test
  void updatesForWhichThereIsNoTimeAreLeftForAnotherUnit() {
    work(create(1, "{}"));
    step = Duration.ofSeconds(1).toNanos();

    assertThat(work(updates(2, "{\"a\":2}", "{\"b\":3}", "{\"c\":4}"))).isEqualTo(complete(2, 3));

    assertThat(text()).isEqualTo("{\"a\":2,\"b\":3}");
  }

  @Test
  void anUpdateOfWhatIsNotThereMakesIt() {
    assertThat(work(updates(2, "{\"a\":2}"))).isEqualTo(complete(2));

    assertThat(text()).isEqualTo("{\"a\":2}");
    assertThat(stamp().create()).isNull();
  }

  @Test
  void anUpdateGoesOnTopOfWhatSomebodyElseWrote() {
    putByHand("{\"a\": 1}");

    assertThat(work(updates(2, "{\"b\":2}"))).isEqualTo(complete(2));
    assertThat(text()).isEqualTo("{\"a\":1,\"b\":2}");
  }

  @Test
  void anObjectThatIsNoJsonIsLeftAlone() {
    putByHand("<a/>");
    assertThat(whyFailed(work(updates(2, "{}")), 2)).contains(KEY, "cannot be patched");

    net.store.overwrite(KEY, new byte[] {(byte) 0xff}, Map.of());
    assertThat(whyFailed(work(updates(2, "{}")), 2)).contains(KEY, "not UTF-8");
    assertThat(net.puts).isEmpty();
  }

  @Test
  void ofAUnitOnlyWhatCannotBeAppliedFails() {
    work(create(1, "{}"));

    UnitVerdict verdict = work(updates(2, "{\"a\":2}", "\"\\ud800\"", "{\"b\":4}"));

    assertThat(((UnitVerdict.RequestsSettled) verdict).complete()).containsExactly(2L, 4L);
    assertThat(whyFailed(verdict, 3)).contains("half a character");
    assertThat(text()).isEqualTo("{\"a\":2,\"b\":4}");
  }

  @Test
  void aUnitOfWhichNothingCanBeAppliedWritesNothing() {
    work(create(1, "{}"));

    assertThat(whyFailed(work(updates(2, "\"\\ud800\"")), 2)).contains("half a character");
    assertThat(net.puts).hasSize(1);
  }

  @Test
  void anEntityThatHasNoKeyFails() {
    assertThat(whyFailed(work(updatesOf("", 1, "{}")), 1)).isEqualTo("the entity's id is empty");
  }

  // What an earlier unit has done

  @Test
  void anObjectFarOverTheLimitIsNotRead() {
    putDocument(16 << 20);

    assertThat(whyFailed(work(updates(2, "{\"n\":1}")), 2))
        .contains(KEY)
        .contains("it has 16777218 bytes, of which at most 16777216 are read; raise max_payload");
  }

  @Test
  void aUnitForWhoseDocumentThereIsNoMemoryIsTakenBack() {
    putDocument(100_000);
    room = TestRoom.none();

    assertThat(work(updates(2, "{\"n\":1}"))).isEqualTo(new UnitVerdict.TakenBack());
  }

  @Test
  void aDocumentIsReadOnceThereIsRoomForIt() {
    putDocument(100_000);
    room = TestRoom.afterAWait();

    assertThat(work(updates(2, "\"smaller\""))).isEqualTo(complete(2));
  }

  private void putDocument(int length) {
    putByHand("\"" + "x".repeat(length) + "\"");
  }

  private void putByHand(String text) {
    net.store.overwrite(KEY, text.getBytes(UTF_8), Map.of("by", "hand"));
  }

  @Test
  void afterALostCommitTheUpdatesAreFoundAndNotAppliedAgain() {
    work(create(1, "{\"n\":0}"));
    work(updates(3, "{\"n\":3}", "{\"n\":4}")); // COMMIT lost
    table.put(3L, RequestStatus.NEW);
    table.put(4L, RequestStatus.NEW);

    // A lower id has joined.
    assertThat(work(updates(2, "{\"n\":2}", "{\"n\":3}", "{\"n\":4}")))
        .isEqualTo(new UnitVerdict.AppliedEarlier(List.of(3L, 4L)));
    assertThat(text()).isEqualTo("{\"n\":4}");
    assertThat(stamp().applied().ids()).containsExactly(3L, 4L);
    assertThat(stamp().fence()).isEqualTo(fence);

    table.put(3L, RequestStatus.COMPLETE);
    table.put(4L, RequestStatus.COMPLETE);
    assertThat(work(updates(2, "{\"n\":2}"))).isEqualTo(complete(2));
    assertThat(text()).isEqualTo("{\"n\":2}");
    assertThat(stamp().applied().ids()).containsExactly(2L);
  }

  @Test
  void whatWasCancelledOrGivenUpIsFoundTogetherWithWhatIsNew() {
    work(create(1, "{}"));
    work(updates(2, "{\"a\":2}", "{\"b\":3}", "{\"c\":4}"));
    table.put(2L, RequestStatus.ERROR);
    table.put(3L, RequestStatus.COMPLETE);
    table.put(4L, RequestStatus.NEW);

    assertThat(work(updates(5, "{\"d\":5}")))
        .isEqualTo(new UnitVerdict.AppliedEarlier(List.of(2L, 4L)));
    assertThat(text()).isEqualTo("{\"a\":2,\"b\":3,\"c\":4}");
  }

  @Test
  void whatHasBeenClearedAwayWasComplete() {
    work(create(1, "{}"));
    work(updates(2, "{\"a\":2}"));
    table.clear();

    assertThat(work(updates(5, "{\"d\":5}"))).isEqualTo(complete(5));
  }

  /** Else a PUT of an earlier unit could land after its requests have been settled by another. */
  @Test
  void whatIsFoundIsWrittenOnceMoreSoThatNoEarlierPutCanLand() {
    work(create(1, "{\"n\":0}"));
    work(updates(2, "{\"n\":2}")); // COMMIT lost
    table.put(2L, RequestStatus.NEW);
    String etag = fetched().etag();

    work(updates(2, "{\"n\":2}"));

    assertThat(text()).isEqualTo("{\"n\":2}");
    assertThat(fetched().etag()).isNotEqualTo(etag);
  }

  @Test
  void anUpdateWhoseAnswerIsLostIsRecognised() {
    work(create(1, "{\"n\":0}"));
    net.onPut(FatefulStore.ANSWER_LOST);

    assertThat(work(updates(2, "{\"n\":2}"))).isEqualTo(complete(2));
    assertThat(net.puts).hasSize(2);
  }

  @Test
  void aWriteOnceMoreWhoseAnswerIsLostIsRecognisedToo() {
    work(create(1, "{\"n\":0}"));
    work(updates(2, "{\"n\":2}"));
    table.put(2L, RequestStatus.NEW);
    net.onPut(FatefulStore.ANSWER_LOST);

    assertThat(work(updates(2, "{\"n\":2}", "{\"m\":3}")))
        .isEqualTo(new UnitVerdict.AppliedEarlier(List.of(2L)));
    assertThat(net.puts).hasSize(3);
  }

  @Test
  void anUpdateThatDidNotArriveIsSentAgain() {
    work(create(1, "{\"n\":0}"));
    net.onPut(FatefulStore.NOT_CARRIED_OUT);

    assertThat(work(updates(2, "{\"n\":2}"))).isEqualTo(complete(2));
    assertThat(text()).isEqualTo("{\"n\":2}");
  }

  @Test
  void anUpdateThatMeetsAnotherIsMergedIntoThat() {
    work(create(1, "{\"n\":0}"));
    net.onPut(
        put -> {
          putByHand("{\"m\":1}");
          return put.get();
        });

    assertThat(work(updates(2, "{\"n\":2}"))).isEqualTo(complete(2));
    assertThat(text()).isEqualTo("{\"m\":1,\"n\":2}");
  }

  @Test
  void aUnitThatHasBeenOvertakenStops() {
    work(create(1, "{\"n\":0}"));
    WorkUnit slow = updates(2, "{\"n\":2}");
    work(updates(3, "{\"n\":3}"));

    assertThat(((UnitVerdict.Postponed) work(slow)).why()).contains(KEY, "102", "103", "set back");
    assertThat(text()).isEqualTo("{\"n\":3}");
  }

  /**
   * A worker reads, sleeps, and writes; meanwhile another one applies the same update, a third one
   * takes its effect back, and the document is what it was. But for the line of blanks it would
   * have the same bytes, and the same ETag.
   */
  @Test
  void aWriteThatSleptIsRefusedThoughTheDocumentIsBackAtWhatItRead() {
    work(create(1, "{\"n\":0}"));
    work(updates(2, "{\"n\":0}"));
    Fetched read = fetched();
    List<PutAnswer> late = new ArrayList<>();
    net.onPut(
        put -> {
          net.later.add(() -> late.add(put.get()));
          return new Unclear("no answer", false);
        });
    work(updates(3, "{\"n\":1}"));
    work(updates(3, "{\"n\":1}"));
    work(updates(4, "{\"n\":0}"));
    assertThat(text()).isEqualTo("{\"n\":0}");

    net.later.forEach(Runnable::run);

    assertThat(late).containsExactly(new Changed());
    assertThat(text()).isEqualTo("{\"n\":0}");
    assertThat(read.etag()).isNotEqualTo(fetched().etag());
  }

  // Ids that are given again, as the database has lost history

  @Test
  void anUpdateIsNotTakenForALostOneThatHadItsId() {
    work(create(1, "{\"n\":0}"));
    work(updates(2, "{\"n\":2}", "{\"m\":3}"));
    setBack();
    table.put(2L, RequestStatus.NEW);
    table.put(3L, RequestStatus.ERROR);

    assertThat(work(updates(2, "{\"n\":9}"))).isEqualTo(complete(2));
    assertThat(text()).isEqualTo("{\"n\":9,\"m\":3}");
  }

  /** Their completion is lost with the others: they come again, in order. */
  @Test
  void updatesThatAreLeftOfAWriteOfWhichOthersAreLostAreAppliedOnTopOfIt() {
    work(create(1, "{}"));
    work(unit("e1", List.of(update(2, "{\"n\":2}"), update(3, "{\"n\":3}"))));
    Request left = update(2, "{\"n\":2}");
    setBack();
    table.put(2L, RequestStatus.NEW);

    assertThat(work(unit("e1", List.of(left)))).isEqualTo(complete(2));
    assertThat(text()).isEqualTo("{\"n\":2}");
  }

  @Test
  void aCreateIsNotTakenForALostOneThatHadItsId() {
    work(create(6, "{\"qty\":1}"));
    setBack();

    assertThat(whyFailed(work(create(6, "{\"qty\":2}")), 6))
        .isEqualTo(
            "an object is already there under orders/e1.json: another request with the id 6"
                + " created it, which this database has lost or never had");
    assertThat(text()).isEqualTo("{\"qty\":1}");
  }

  /** As a document of a release that knew none. */
  @Test
  void idsWithoutDigestsAreNotBelieved() {
    work(create(6, "{\"qty\":1}"));
    work(updates(7, "{\"a\":1}"));
    Map<String, String> metadata = new TreeMap<>(stored().metadata());
    metadata.remove("digest");
    metadata.put("create", "6");
    net.store.overwrite(KEY, stored().body(), metadata);
    table.put(7L, RequestStatus.NEW);

    assertThat(whyFailed(work(create(6, "{\"qty\":1}")), 6)).contains("no create of this recorder");
    assertThat(work(updates(7, "{\"a\":2}"))).isEqualTo(complete(7));
    assertThat(text()).isEqualTo("{\"qty\":1,\"a\":2}");
  }

  private void setBack() {
    history++;
    table.clear();
  }

  // Stores that do not answer

  @Test
  void aStoreThatDoesNotAnswerIsTriedAFewTimes() {
    net.silent = new Unclear(KEY + ": 503", true);

    assertThat(work(updates(2, "{}"))).isEqualTo(new UnitVerdict.Postponed(KEY + ": 503"));
    assertThat(net.calls).isEqualTo(RoundLimit.ROUNDS);
    assertThat(work(create(1, "{}"))).isEqualTo(new UnitVerdict.Postponed(KEY + ": 503"));
    assertThat(net.calls).isEqualTo(RoundLimit.ROUNDS * 3);
  }

  @Test
  void aStoreThatRefusesIsTriedOnce() {
    net.silent = new Unclear(KEY + ": 403", false);

    assertThat(work(updates(2, "{}"))).isEqualTo(new UnitVerdict.Postponed(KEY + ": 403"));
    assertThat(work(create(1, "{}"))).isEqualTo(new UnitVerdict.Postponed(KEY + ": 403"));
    assertThat(net.calls).isEqualTo(2);
  }

  @Test
  void aPutThatIsRefusedIsNotSentAgain() {
    work(create(1, "{}"));
    net.onPut(put -> new Unclear(KEY + ": 403", false));

    assertThat(work(updates(2, "{}"))).isEqualTo(new UnitVerdict.Postponed(KEY + ": 403"));
    assertThat(net.puts).hasSize(2);
  }

  @Test
  void thereIsNoRoundAfterTheTimeIsOver() {
    work(create(1, "{}"));
    net.onPut(
        put -> {
          now += Duration.ofSeconds(5).toNanos();
          return new Unclear("PUT of " + KEY + ": slow", true);
        });

    assertThat(work(updates(2, "{}")))
        .isEqualTo(new UnitVerdict.Postponed("PUT of " + KEY + ": slow"));
    assertThat(net.puts).hasSize(2);
  }

  @Test
  void whoeverIsInterruptedWhileAPutIsOnItsWayIsNotToldThatItIsPutOff() {
    work(create(1, "{}"));
    net.onPut(
        put -> {
          Thread.currentThread().interrupt();
          return FatefulStore.ANSWER_LOST.of(put);
        });

    assertThatThrownBy(() -> worker.work(updates(2, "{\"a\":2}"), this::statuses, TestRoom.AMPLE))
        .isInstanceOf(InterruptedException.class);
    assertThat(text()).isEqualTo("{\"a\":2}");
  }

  @Test
  void metadataThatSomebodyRewroteCountAsNone() {
    work(create(1, "{\"n\":0}"));
    net.store.overwrite(
        KEY, "{\"n\":0}".getBytes(UTF_8), Map.of("applied", "&", "fence", "zzz", "process", "-"));

    assertThat(work(updates(2, "{\"n\":2}"))).isEqualTo(complete(2));
  }

  private UnitVerdict work(WorkUnit unit) {
    try {
      UnitVerdict verdict = worker.work(unit, this::statuses, room);
      if (verdict instanceof UnitVerdict.RequestsSettled settled) {
        settled.complete().forEach(id -> table.put(id, RequestStatus.COMPLETE));
      }
      return verdict;
    } catch (InterruptedException interrupted) {
      throw new AssertionError("nobody interrupts this test", interrupted);
    }
  }

  private Map<Long, RequestMark> statuses(String entity, Collection<Long> ids) {
    return ids.stream()
        .filter(table::containsKey)
        .collect(Collectors.toMap(id -> id, id -> new RequestMark(table.get(id), digest(id))));
  }

  private long digest(long id) {
    return new Random(31L * history + id).nextLong();
  }

  private WorkUnit create(long id, String payload) {
    return unit("e1", List.of(new Request(id, RequestType.CREATE, payload, 0, digest(id))));
  }

  private WorkUnit updates(long firstId, String... payloads) {
    return updatesOf("e1", firstId, payloads);
  }

  private WorkUnit updatesOf(String entity, long firstId, String... payloads) {
    return unit(
        entity,
        IntStream.range(0, payloads.length)
            .mapToObj(i -> update(firstId + i, payloads[i]))
            .toList());
  }

  private Request update(long id, String payload) {
    return new Request(id, RequestType.UPDATE, payload, 0, digest(id));
  }

  private WorkUnit unit(String entity, List<Request> requests) {
    return new WorkUnit(NAME, entity, UUID.randomUUID(), ++fence, requests);
  }

  private static UnitVerdict complete(long... ids) {
    return new UnitVerdict.RequestsSettled(LongStream.of(ids).boxed().toList(), Map.of());
  }

  private static String whyFailed(UnitVerdict verdict, long id) {
    assertThat(verdict).isInstanceOf(UnitVerdict.RequestsSettled.class);
    return ((UnitVerdict.RequestsSettled) verdict).failed().getOrDefault(id, "it did not fail");
  }

  private Fetched fetched() {
    return (Fetched) net.store.fetch(KEY);
  }

  private String text() {
    return stored().text();
  }

  private DocumentStamp stamp() {
    return stored().stamp().orElseThrow();
  }

  private StoredDocument stored() {
    Body body = net.store.objects().get(KEY);
    return StoredDocument.read(body.bytes(), body.metadata()).orElseThrow();
  }
}
