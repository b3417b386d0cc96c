package dev.recorder.architecture.broken.requests.handlers;

import dev.recorder.architecture.broken.store.SomeStore;
import dev.recorder.testing.network.Breaks;

@Breaks("HANDLERS_KNOW_REQUESTS_AND_NEITHER_DATABASE_NOR_STORE_NOR_MACHINE")
public interface KnowsAStore {
  void know(SomeStore other);
}
