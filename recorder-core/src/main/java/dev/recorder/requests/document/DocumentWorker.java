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
 * <p>A request takes effect once, whatever is lost on the way: the session, the answer to a PUT,
 * the outcome of a COMMIT. docs/requests.md says why. It relies on atomic conditional writes of the
 * store, on {@code fence}s that grow from unit to unit of an entity, and on no other writer in the
 * layout's folder.
 *
 * <p>Thread-safe; one for all workers of a recorder. The content of a payload or an object never
 * makes it throw. When it is interrupted it may have written; the next unit of the entity finds
 * out.
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
