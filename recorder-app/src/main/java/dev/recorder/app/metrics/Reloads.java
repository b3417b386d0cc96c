package dev.recorder.app.metrics;

import java.util.concurrent.atomic.LongAdder;

/** What became of changed configurations. Thread-safe. */
public final class Reloads {
  private final LongAdder done = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private volatile boolean ok = true;

  /** A changed configuration is in effect. */
  public void done() {
    done.increment();
    ok = true;
  }

  /** A changed configuration could not be used. */
  public void failed() {
    failed.increment();
    ok = false;
  }

  /** Whether the last one is in effect, or there was none. */
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
