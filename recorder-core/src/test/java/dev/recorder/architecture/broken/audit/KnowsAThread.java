package dev.recorder.architecture.broken.audit;

import dev.recorder.testing.network.Breaks;
import java.util.concurrent.locks.ReentrantLock;

@Breaks("LOGIC_KNOWS_NO_THREADS_AND_NO_LOCKS")
public interface KnowsAThread {
  void know(ReentrantLock other);
}
