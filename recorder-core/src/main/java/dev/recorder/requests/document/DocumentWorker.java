package dev.recorder.requests.document;

import dev.recorder.requests.MemoryReservation;
import dev.recorder.requests.UnitVerdict;
import dev.recorder.requests.UnitWorker;
import dev.recorder.requests.WorkUnit;
import dev.recorder.store.DocumentStore;
import dev.recorder.time.Ticker;

/**
 * Keeps one JSON document per entity: a create writes it, an update merges into it.
 *
 * <p>A request takes effect once, even if the session, the answer to a PUT, or the outcome of a
 * COMMIT is lost. docs/requests.md gives the reasons. It relies on atomic conditional writes of the
 * store, on {@code fence}s that grow from unit to unit of an entity, and on being the only writer
 * in the layout's folder.
 *
 * <p>Thread-safe; one worker serves all threads of a recorder. No content of a payload or object
 * makes it throw. An interrupted call may have written; the entity's next unit finds out.
 */
public final class DocumentWorker implements UnitWorker {
  private final DocumentStore store;
  private final DocumentLayout layout;
  private final DocumentLimits limits;
  private final Ticker ticker;

  public DocumentWorker(
      DocumentStore store, DocumentLayout layout, DocumentLimits limits, Ticker ticker) {
    this.store = store;
    this.layout = layout;
    this.limits = limits;
    this.ticker = ticker;
  }

  @Override
  public UnitVerdict work(WorkUnit unit, Statuses statuses, MemoryReservation room)
      throws InterruptedException {
    EntityKey key = layout.key(unit.entity());
    if (key instanceof EntityKey.Refused refused) {
      return UnitVerdict.RequestsSettled.allFailed(unit, refused.why());
    }
    DocumentObject object = new DocumentObject(store, ((EntityKey.Usable) key).key());
    RoundLimit patience = new RoundLimit(ticker, limits.time());
    return unit.isCreate()
        ? new CreateProcessing(object, unit, statuses, limits.documentBytes()).verdict(patience)
        : new UpdateProcessing(object, unit, statuses, limits, room).verdict(patience);
  }
}
