package dev.recorder.requests.document;

import dev.recorder.handoff.RecorderName;
import dev.recorder.requests.Request;
import dev.recorder.requests.RequestMark;
import dev.recorder.requests.RequestStatus;
import dev.recorder.requests.RequestType;
import dev.recorder.requests.UnitVerdict;
import dev.recorder.requests.WorkUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The hand-off table as far as documents see it. */
final class SimulatedTable {
  static final RecorderName NAME = new RecorderName("sim");

  private final TreeMap<Long, Row> rows = new TreeMap<>();
  private final Chance chance;
  private long lastId;
  private long lastFence = 100;
  private int changes;

  /** One request, as long as anybody remembers it. */
  static final class Row {
    final long id;
    final String entity;
    final RequestType type;
    final String payload;
    private RequestStatus status = RequestStatus.NEW;
    private long fence;

    /** Whether its transaction has committed. */
    private boolean visible;

    /** Whether it has been cleared away. */
    private boolean gone;

    Row(long id, String entity, RequestType type, String payload) {
      this.id = id;
      this.entity = entity;
      this.type = type;
      this.payload = payload;
    }

    void commit() {
      visible = true;
    }

    void clearAway() {
      gone = true;
    }

    long digest() {
      return SimulatedTable.digest(id);
    }

    boolean isNew() {
      return visible && status == RequestStatus.NEW;
    }

    boolean isError() {
      return visible && status == RequestStatus.ERROR;
    }

    boolean isComplete() {
      return status == RequestStatus.COMPLETE;
    }

    @Override
    public String toString() {
      return type.word() + " " + id + " " + payload + ": " + (visible ? status : "uncommitted");
    }
  }

  SimulatedTable(Chance chance) {
    this.chance = chance;
  }

  static long digest(long id) {
    return new Random(id).nextLong();
  }

  /** Takes an id; the row is there when its transaction commits. */
  Row insert(String entity, RequestType type, String payload) {
    Row row = new Row(++lastId, entity, type, payload);
    rows.put(row.id, row);
    return row;
  }

  List<Row> select(Predicate<Row> which) {
    return rows.values().stream().filter(which).toList();
  }

  /** What a back end would work on next; null if there is nothing. */
  @Nullable WorkUnit claim(String entity) {
    List<Row> creates =
        select(row -> row.entity.equals(entity) && row.type == RequestType.CREATE && row.visible);
    List<Row> chosen =
        creates.stream().anyMatch(Row::isNew)
            ? creates
            : select(row -> row.entity.equals(entity) && row.isNew());
    if (creates.isEmpty() || chosen.isEmpty()) {
      return null;
    }
    // Not every row that is new need be in the unit: one may commit, or be retried, meanwhile.
    int most = chance.hit(0.3) ? 1 + chance.below(3) : chosen.size();
    List<Request> requests =
        chosen.stream()
            .limit(most)
            .map(row -> new Request(row.id, row.type, row.payload, 0, row.digest()))
            .toList();
    return new WorkUnit(
        NAME, entity, new UUID(chance.random(), chance.random()), ++lastFence, requests);
  }

  Map<Long, RequestMark> statuses(String entity, Collection<Long> ids) {
    Map<Long, RequestMark> found = new HashMap<>();
    for (long id : ids) {
      Row row = rows.get(id);
      if (row != null && row.entity.equals(entity) && row.visible && !row.gone) {
        found.put(id, new RequestMark(row.status, row.digest()));
      }
    }
    return found;
  }

  /** Commits what a verdict says, in one transaction. */
  void settle(WorkUnit unit, UnitVerdict verdict, Mutation mutation) {
    if (verdict instanceof UnitVerdict.RequestsSettled settled) {
      settled.complete().forEach(id -> complete(id, unit.fence()));
      settled.failed().keySet().forEach(id -> set(row(id), RequestStatus.ERROR));
    } else if (verdict instanceof UnitVerdict.AppliedEarlier found) {
      boolean inParts =
          mutation == Mutation.FOUND_IN_PARTS
              && found.applied().stream().anyMatch(id -> row(id).isError());
      found.applied().stream()
          .filter(id -> !inParts || row(id).isError())
          .forEach(id -> complete(id, unit.fence()));
    }
  }

  private void complete(long id, long fence) {
    Row row = row(id);
    set(row, RequestStatus.COMPLETE);
    row.fence = fence;
  }

  /** Settles by hand, or undoes it. */
  void set(Row row, RequestStatus status) {
    row.status = status;
    changes++;
  }

  /** How often the status of a row has changed. */
  int changes() {
    return changes;
  }

  Row row(long id) {
    Row row = rows.get(id);
    if (row == null) {
      throw new AssertionError("there never was a request " + id);
    }
    return row;
  }

  /** What the document must be: all that is complete, and behind it what is applied only. */
  @Nullable DocumentModel model(String entity, List<Long> applied) {
    @Nullable String base = null;
    List<DocumentModel.Update> updates = new ArrayList<>();
    for (Row row : select(any -> any.entity.equals(entity))) {
      boolean complete = row.isComplete();
      boolean counts = complete || applied.contains(row.id);
      if (counts && row.type == RequestType.CREATE) {
        base = row.payload;
      } else if (counts) {
        updates.add(new DocumentModel.Update(complete ? row.fence : -1, row.id, row.payload));
      }
    }
    return base == null && updates.isEmpty() ? null : DocumentModel.of(base, updates);
  }
}
