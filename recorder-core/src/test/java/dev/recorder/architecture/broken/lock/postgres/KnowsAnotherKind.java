package dev.recorder.architecture.broken.lock.postgres;

import dev.recorder.architecture.broken.lock.redis.SomeKey;
import dev.recorder.testing.network.Breaks;

@Breaks("KINDS_OF_LOCK_DO_NOT_KNOW_EACH_OTHER")
public interface KnowsAnotherKind {
  void know(SomeKey other);
}
