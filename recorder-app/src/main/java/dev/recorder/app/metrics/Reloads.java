package dev.recorder.app.metrics;

import java.util.concurrent.atomic.LongAdder;

/** Counts reloads by outcome. Thread-safe. */
public final class Reloads {
  private final LongAdder done = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private volatile boolean ok = true;

  public void done() {
    done.increment();
    ok = true;
  }

  public void failed() {
    failed.increment();
    ok = false;
  }

  /** Whether the last reload succeeded; true if there was none. */
  boolean isOk() {
    return ok;
  }

  long allDone() {
    return done.sum();
  }

  long allFailed() {
    return failed.sum();
  }
}
