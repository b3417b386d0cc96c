package dev.recorder.audit.documents;

import dev.recorder.handoff.RecorderName;
import dev.recorder.requests.Request;
import dev.recorder.requests.RequestMark;
import dev.recorder.requests.RequestStatus;
import dev.recorder.requests.RequestType;
import dev.recorder.requests.TestRoom;
import dev.recorder.requests.UnitVerdict;
import dev.recorder.requests.WorkUnit;
import dev.recorder.requests.document.DocumentLayout;
import dev.recorder.requests.document.DocumentLimits;
import dev.recorder.requests.document.DocumentWorker;
import dev.recorder.testing.servers.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A table of requests in memory and a bucket, and the product's worker that turns one into the
 * other.
 */
final class RequestsInMemory implements RequestRecords {
  static final DocumentLayout LAYOUT =
      new DocumentLayout("", "bucket", "", new RecorderName("orders"));

  final MemoryStore bucket = new MemoryStore();

  /** Runs before each look at an entity's requests, with the number of the look. */
  Look beforeLook = look -> {};

  final List<Integer> pages = new ArrayList<>();
  private final DocumentWorker worker =
      new DocumentWorker(
          bucket, LAYOUT, new DocumentLimits(1_000, Duration.ofSeconds(5)), () -> 0L);
  private final TreeMap<String, List<RecordedRequest>> table = new TreeMap<>();
  private final Random digest = new Random(1);
  private long lastId;
  private long fence = 100;
  private int looks;

  /** What somebody else does meanwhile. */
  @FunctionalInterface
  interface Look {
    void is(int number);
  }

  long create(String entity, @Nullable String payload) {
    return add(entity, RequestType.CREATE, payload);
  }

  long update(String entity, @Nullable String payload) {
    return add(entity, RequestType.UPDATE, payload);
  }

  private long add(String entity, RequestType type, @Nullable String payload) {
    lastId++;
    table
        .computeIfAbsent(entity, e -> new ArrayList<>())
        .add(new RecordedRequest(lastId, type, RequestStatus.NEW, 0, payload, digest.nextLong()));
    return lastId;
  }

  /** Works one unit of these requests off, and settles it. */
  void work(String entity, Long... ids) {
    UnitVerdict verdict = workUnsettled(entity, ids);
    if (!(verdict instanceof UnitVerdict.RequestsSettled settled)) {
      throw new AssertionError("not settled: " + verdict);
    }
    settled.complete().forEach(id -> set(id, RequestStatus.COMPLETE, fence));
    settled.failed().keySet().forEach(id -> set(id, RequestStatus.ERROR, fence));
  }

  /** The same, but its COMMIT is lost. */
  UnitVerdict workUnsettled(String entity, Long... ids) {
    fence++;
    List<Request> requests = new ArrayList<>();
    for (RecordedRequest row : of(entity)) {
      if (List.of(ids).contains(row.id())) {
        requests.add(new Request(row.id(), row.type(), row.payload(), 0, row.digest()));
      }
    }
    try {
      return worker.work(
          new WorkUnit(LAYOUT.recorder(), entity, UUID.randomUUID(), fence, requests),
          this::statuses,
          TestRoom.AMPLE);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private Map<Long, RequestMark> statuses(String entity, Collection<Long> ids) {
    Map<Long, RequestMark> marks = new HashMap<>();
    table.getOrDefault(entity, List.of()).stream()
        .filter(row -> ids.contains(row.id()))
        .forEach(row -> marks.put(row.id(), new RequestMark(row.status(), row.digest())));
    return marks;
  }

  /** Another request gets the id. */
  void replace(long id, String payload) {
    table
        .values()
        .forEach(
            rows ->
                rows.replaceAll(
                    row ->
                        row.id() == id
                            ? new RecordedRequest(
                                id, row.type(), row.status(), 0, payload, digest.nextLong())
                            : row));
  }

  void set(long id, RequestStatus status, long settledBy) {
    table
        .values()
        .forEach(
            rows ->
                rows.replaceAll(
                    row ->
                        row.id() == id
                            ? new RecordedRequest(
                                id, row.type(), status, settledBy, row.payload(), row.digest())
                            : row));
  }

  @Override
  public List<String> entities(@Nullable String after, int limit) {
    List<String> page =
        (after == null ? table : table.tailMap(after, false))
            .keySet().stream().limit(limit).toList();
    pages.add(page.size());
    return page;
  }

  @Override
  public List<RecordedRequest> of(String entity) {
    beforeLook.is(++looks);
    return List.copyOf(table.getOrDefault(entity, List.of()));
  }

  /** Looks are counted from here. */
  void countLooks() {
    looks = 0;
  }
}
