package dev.recorder.requests.document;

import dev.recorder.requests.EntityQuery;
import dev.recorder.requests.EntityState;
import dev.recorder.requests.MemoryReservation;
import dev.recorder.requests.UnitVerdict;
import dev.recorder.requests.UnitWorker;
import dev.recorder.requests.WorkUnit;
import dev.recorder.store.DocumentStore;
import dev.recorder.time.Ticker;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one JSON document per entity, rebuilt by a query for each unit. Payloads are ignored; a
 * request only says that something has changed.
 *
 * <p>The query runs after the unit's requests are locked, so that the document includes the changes
 * they stand for. A document is never older than an existing version, since a unit's query ends
 * before a later unit of its entity begins. docs/requests.md gives the reasons. Otherwise it works
 * as {@link DocumentWorker}.
 */
public final class RebuildingWorker implements UnitWorker {
  private final DocumentStore store;
  private final DocumentLayout layout;
  private final EntityQuery query;
  private final Duration limit;
  private final Ticker ticker;

  /**
   * Creates a worker for one recorder.
   *
   * @param limit time after which a unit is postponed
   */
  public RebuildingWorker(
      DocumentStore store,
      DocumentLayout layout,
      EntityQuery query,
      Duration limit,
      Ticker ticker) {
    this.store = store;
    this.layout = layout;
    this.query = query;
    this.limit = limit;
    this.ticker = ticker;
  }

  @Override
  public UnitVerdict work(WorkUnit unit, Statuses statuses, MemoryReservation room)
      throws InterruptedException {
    EntityKey key = layout.key(unit.entity());
    if (key instanceof EntityKey.Refused refused) {
      return UnitVerdict.RequestsSettled.allFailed(unit, refused.why());
    }
    RoundLimit patience = new RoundLimit(ticker, limit);
    EntityState state = statuses.state(unit, query, room);
    if (state instanceof EntityState.Unfit unfit) {
      return UnitVerdict.RequestsSettled.allFailed(unit, unfit.why());
    } else if (state instanceof EntityState.NotNow notNow) {
      return new UnitVerdict.Postponed(notNow.why());
    } else if (state instanceof EntityState.NoMemory) {
      return new UnitVerdict.TakenBack();
    }
    AppliedIds applied = AppliedIds.firstOf(unit.ids());
    return new DocumentReplacement(
            new DocumentObject(store, ((EntityKey.Usable) key).key()),
            unit,
            statuses,
            create -> document(state, stamp(unit, statuses, applied, create)),
            new UnitVerdict.RequestsSettled(applied.ids(), Map.of()))
        .verdict(patience);
  }

  private static DocumentStamp stamp(
      WorkUnit unit, Statuses statuses, AppliedIds applied, @Nullable CreatingRequest create) {
    CreatingRequest first = unit.isCreate() ? CreatingRequest.of(unit.requests().get(0)) : create;
    return DocumentStamp.of(unit, statuses, applied, first);
  }

  private static RebuiltDocument document(EntityState state, DocumentStamp stamp) {
    return state instanceof EntityState.EntityFound there
        ? RebuiltDocument.of(there, stamp)
        : RebuiltDocument.of((EntityState.Gone) state, stamp);
  }
}
