package dev.recorder.producer.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.producer.WaitException;
import java.util.concurrent.CompletableFuture;

/**
 * A thread's wait for a transaction.
 *
 * @param until on the ticker
 * @param told whether it was recorded in time, or a {@link WaitException}
 */
record RecordingWait(RecorderName recorder, long xid, long until, CompletableFuture<Boolean> told) {
  boolean isOver() {
    return told.isDone();
  }

  boolean isDue(long now) {
    return now - until >= 0;
  }

  void end(boolean recorded) {
    told.complete(recorded);
  }

  void fail(WaitException why) {
    told.completeExceptionally(why);
  }
}
