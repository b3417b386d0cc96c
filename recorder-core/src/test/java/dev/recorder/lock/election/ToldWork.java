package dev.recorder.lock.election;

import dev.recorder.lock.Lease;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;

/** Work that remembers what it was told, and ends when it is told to. */
class ToldWork implements ElectedWork {
  final List<String> calls = new CopyOnWriteArrayList<>();
  private volatile CompletableFuture<Void> ended = new CompletableFuture<>();

  /** Work whose first, second, … start is as {@code nth} says of that number. */
  static ToldWork starting(IntFunction<CompletionStage<?>> nth) {
    return new ToldWork() {
      @Override
      public CompletionStage<?> start(Lease lease) {
        super.start(lease);
        return nth.apply(calls.size());
      }
    };
  }

  @Override
  public CompletionStage<?> start(Lease lease) {
    ended = new CompletableFuture<>();
    calls.add("start");
    return ended;
  }

  @Override
  public void stop() {
    calls.add("stop");
    end();
  }

  @Override
  public void halt() {
    calls.add("halt");
    end();
  }

  /** The work itself ends. */
  void end() {
    ended.complete(null);
  }

  boolean hasEnded() {
    return ended.isDone();
  }
}
