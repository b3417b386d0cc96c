package dev.recorder.producer.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.producer.WaitException;
import java.util.concurrent.CompletableFuture;

/**
 * A thread's wait for a transaction.
 *
 * @param until the end of the wait, as nanoseconds of the ticker
 * @param told completes with whether the transaction was recorded in time, or with a {@link
 *     WaitException}
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
