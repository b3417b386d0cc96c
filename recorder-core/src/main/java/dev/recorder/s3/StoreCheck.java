package dev.recorder.s3;

import dev.recorder.store.ObjectStore;
import dev.recorder.store.StoreIdentity;
import java.util.function.Supplier;

/**
 * Whether a recorder may use its store: the store keeps its promises, it is the one of this
 * database, and it takes writes. Thread-safe if {@code noteCreated} is.
 *
 * @param promises tests whether the store keeps its promises; empty if it does
 * @param noteCreated notes in the database that the identity object is in the store, so that a
 *     store without it is another one; gives what prevented it, empty if nothing did
 */
public record StoreCheck(
    ObjectStore store,
    Supplier<String> promises,
    StoreIdentity identity,
    Supplier<String> noteCreated) {

  /**
   * Why the store must not be used now; empty if it may.
   *
   * @param created whether the identity object was put into the store before
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
