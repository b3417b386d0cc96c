package dev.recorder.s3;

import dev.recorder.store.ObjectStore;
import dev.recorder.store.StoreIdentity;
import java.util.function.Supplier;

/**
 * Checks whether a recorder may use its store: the store keeps its promises, belongs to this
 * database, and accepts writes. Thread-safe if {@code noteCreated} is.
 *
 * @param promises tests whether the store keeps its promises; empty if it does
 * @param noteCreated records in the database that the store has the identity object, so that a
 *     store without it is recognised as another one; returns why it could not be recorded, empty if
 *     it was
 */
public record StoreCheck(
    ObjectStore store,
    Supplier<String> promises,
    StoreIdentity identity,
    Supplier<String> noteCreated) {

  /**
   * Returns why the store must not be used now; empty if it may be used.
   *
   * @param created whether the identity object has been put into the store before
   */
  public String trouble(boolean created) {
    String broken = promises.get();
    if (!broken.isEmpty()) {
      return broken;
    }
    StoreIdentity.Recognition verdict = created ? identity.check(store) : identity.claim(store);
    if (verdict.kind() == StoreIdentity.IdentityKind.RIGHT) {
      verdict = identity.probe(store);
    }
    if (verdict.kind() != StoreIdentity.IdentityKind.RIGHT) {
      return verdict.why();
    }
    return created ? "" : noteCreated.get();
  }
}
