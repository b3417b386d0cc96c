package dev.recorder.requests.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.RecorderName;
import dev.recorder.requests.EntityQuery;
import dev.recorder.requests.EntityState;
import dev.recorder.requests.MemoryReservation;
import dev.recorder.requests.Request;
import dev.recorder.requests.RequestMark;
import dev.recorder.requests.RequestType;
import dev.recorder.requests.TestRoom;
import dev.recorder.requests.UnitVerdict;
import dev.recorder.requests.UnitWorker.Statuses;
import dev.recorder.requests.WorkUnit;
import dev.recorder.store.ObjectStore.Body;
import dev.recorder.store.ObjectStore.PutAnswer;
import dev.recorder.store.ObjectStore.Unclear;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What becomes of a document that is always replaced, whatever becomes of the PUTs. */
class RebuildingWorkerTest {
  private static final RecorderName NAME = new RecorderName("orders");
  private static final String KEY = "orders/e1.json";
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private FatefulStore net = new FatefulStore();
  private EntityState state = there(1);
  private long fence = 100;

  private static EntityState there(int version) {
    return new EntityState.EntityFound("{\"v\":" + version + "}", version + ":" + version + ":");
  }

  @Test
  void theDocumentIsWhatTheQuerySays() {
    assertThat(work(unit(7, 9))).isEqualTo(complete(7, 9));
    assertThat(text()).isEqualTo("{\"v\":1}");
    assertThat(metadata())
        .containsEntry("snapshot", "1:1:")
        .containsEntry("fence", "101")
        .containsEntry("applied", "7.2")
        .doesNotContainKey("deleted");
  }

  @Test
  void itIsWrittenThoughNothingHasChanged() {
    work(unit(1));
    work(unit(2));

    assertThat(net.puts).hasSize(2);
    assertThat(metadata()).containsEntry("applied", "2");
  }

  @Test
  void whatIsGoneIsMarkedEvenIfItWasNeverThere() {
    state = new EntityState.Gone("5:5:");

    assertThat(work(unit(1))).isEqualTo(complete(1));

    assertThat(text()).isEqualTo(RebuiltDocument.GONE);
    assertThat(RebuiltDocument.saysGone(metadata())).isTrue();
  }

  @Test
  void aCreateIsNamedByAllLaterVersions() {
    work(
        new WorkUnit(
            NAME,
            "e1",
            UUID.randomUUID(),
            ++fence,
            List.of(new Request(3, RequestType.CREATE, "{}", 0, 37))));
    work(unit(4));

    assertThat(metadata()).containsEntry("create", "3.11");
  }

  @Test
  void aQueryThatFailsWritesNothing() {
    state = new EntityState.NotNow("no table");
    assertThat(work(unit(1))).isEqualTo(new UnitVerdict.Postponed("no table"));
    state = new EntityState.Unfit("two rows");
    assertThat(work(unit(1)))
        .isEqualTo(new UnitVerdict.RequestsSettled(List.of(), Map.of(1L, "two rows")));
    state = new EntityState.NoMemory();
    assertThat(work(unit(1))).isEqualTo(new UnitVerdict.TakenBack());

    assertThat(net.calls).isZero();
  }

  @Test
  void aLaterUnitsDocumentIsLeftAlone() {
    WorkUnit earlier = unit(1);
    work(unit(2));

    assertThat(work(earlier))
        .isInstanceOfSatisfying(
            UnitVerdict.Postponed.class,
            put -> assertThat(put.why()).contains("was written by unit"));
    assertThat(metadata()).containsEntry("applied", "2");
  }

  @Test
  void aPutThatIsRefusedIsNotSentAgain() {
    net.onPut(put -> new Unclear(KEY + ": 403", false));

    assertThat(work(unit(1))).isEqualTo(new UnitVerdict.Postponed(KEY + ": 403"));
    assertThat(net.puts).hasSize(1);
  }

  @Test
  void asManyRequestsAreSettledAsTheMetadataCanName() {
    long[] ids = LongStream.rangeClosed(1, 1000).map(i -> i * 1_000).toArray();

    UnitVerdict.RequestsSettled settled = (UnitVerdict.RequestsSettled) work(unit(ids));

    assertThat(settled.complete()).hasSizeBetween(200, 999).contains(1_000L);
    assertThat(metadata().toString()).hasSizeLessThan(2_000);
  }

  @Test
  void aSnapshotWithManyTransactionsIsCutToOneThatSeesLess() {
    String running = "5,".repeat(200) + "6";
    state = new EntityState.EntityFound("{}", "5:900:" + running);
    work(unit(1));

    assertThat(metadata()).containsEntry("snapshot", "5:5:");
  }

  /** Sessions are lost between any two calls, and PUTs land late, twice or never. */
  @Test
  void neverIsAnOlderDocumentPutOverANewerOne() {
    for (int seed = 1; seed <= 3_000; seed++) {
      net = new FatefulStore();
      Random random = new Random(seed);
      int[] truth = {0};
      int[] last = {0};
      for (int i = 0; i < 6; i++) {
        overlapping(random, truth, 2);
        deliver(random, last);
      }
      truth[0]++;
      state = there(truth[0]);
      UnitVerdict verdict = work(unit(1));
      for (int again = 0; verdict instanceof UnitVerdict.Postponed && again < 3; again++) {
        verdict = work(unit(1));
      }
      assertThat(verdict).as("seed " + seed).isEqualTo(complete(1));
      while (!net.later.isEmpty()) {
        deliver(random, last);
      }
      assertThat(text()).as("seed " + seed).isEqualTo("{\"v\":" + truth[0] + "}");
    }
  }

  private void overlapping(Random random, int[] truth, int depth) {
    state = there(++truth[0]);
    WorkUnit unit = unit(truth[0]);
    int fates = random.nextInt(3);
    for (int i = 0; i < fates; i++) {
      switch (random.nextInt(4)) {
        case 0 -> net.onPut(FatefulStore.ANSWER_LOST);
        case 1 -> net.onPut(FatefulStore.NOT_CARRIED_OUT);
        case 2 ->
            net.onPut(
                put -> {
                  net.later.add(() -> landed(put));
                  return new Unclear("on its way", true);
                });
        default ->
            net.onPut(
                put -> {
                  if (depth > 0) {
                    overlapping(random, truth, depth - 1);
                  }
                  return put.get();
                });
      }
    }
    work(unit);
  }

  private static void landed(Supplier<PutAnswer> put) {
    PutAnswer unused = put.get();
  }

  private void deliver(Random random, int[] last) {
    if (!net.later.isEmpty()) {
      net.later.remove(random.nextInt(net.later.size())).run();
    }
    Body body = net.store.objects().get(KEY);
    if (body != null) {
      int now = Integer.parseInt(text().replaceAll("\\D", ""));
      assertThat(now).isGreaterThanOrEqualTo(last[0]);
      last[0] = now;
    }
  }

  private UnitVerdict work(WorkUnit unit) {
    EntityState seen = state;
    Statuses database =
        new Statuses() {
          @Override
          public Map<Long, RequestMark> of(String entity, Collection<Long> ids) {
            throw new AssertionError("nobody asks for these");
          }

          @Override
          public EntityState state(WorkUnit any, EntityQuery query, MemoryReservation room) {
            return seen;
          }
        };
    try {
      return new RebuildingWorker(
              net,
              new DocumentLayout("", "bucket", "", NAME),
              new EntityQuery("SELECT :entity", LIMIT, 1_000),
              LIMIT,
              () -> 0)
          .work(unit, database, TestRoom.AMPLE);
    } catch (InterruptedException interrupted) {
      throw new AssertionError("nobody interrupts this test", interrupted);
    }
  }

  private WorkUnit unit(long... ids) {
    List<Request> requests =
        LongStream.of(ids).mapToObj(id -> new Request(id, RequestType.UPDATE, null, 0)).toList();
    return new WorkUnit(NAME, "e1", UUID.randomUUID(), ++fence, requests);
  }

  private static UnitVerdict complete(long... ids) {
    return new UnitVerdict.RequestsSettled(LongStream.of(ids).boxed().toList(), Map.of());
  }

  private String text() {
    Body body = net.store.objects().get(KEY);
    return StoredDocument.read(body.bytes(), body.metadata()).orElseThrow().text();
  }

  private Map<String, String> metadata() {
    return net.store.objects().get(KEY).metadata();
  }
}
