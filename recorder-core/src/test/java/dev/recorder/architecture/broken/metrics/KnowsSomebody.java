package dev.recorder.architecture.broken.metrics;

import dev.recorder.architecture.broken.store.SomeStore;
import dev.recorder.testing.network.Breaks;

@Breaks("FIGURES_KNOW_NOBODY")
public interface KnowsSomebody {
  void know(SomeStore other);
}
