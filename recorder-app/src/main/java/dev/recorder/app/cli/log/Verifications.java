package dev.recorder.app.cli.log;

import dev.recorder.audit.AuditResult;
import dev.recorder.audit.Progress;
import dev.recorder.memory.MemoryBudget;
import dev.recorder.time.NamedThreads;
import dev.recorder.time.Ticker;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Runs verifications, up to {@value #MOST} at a time: each takes two sessions, two threads and a
 * share of the heap. The others wait.
 */
final class Verifications implements AutoCloseable {
  private static final int MOST = 4;

  /** What one may need: a slot, twice while it is unpacked, sums, and rows in doubt. */
  private static final long HEAP_FOR_EACH = 384L << 20;

  private final ExecutorService threads =
      Executors.newFixedThreadPool(atOnce(), new NamedThreads("verify"));

  /** What they look at, all together: large objects wait for each other. */
  private final MemoryBudget memory = new MemoryBudget(MemoryBudget.mostAlone(), Ticker.system());

  private final @Nullable ProgressLine line;

  Verifications(@Nullable ProgressLine line) {
    this.line = line;
  }

  private static int atOnce() {
    long fit = Runtime.getRuntime().maxMemory() / HEAP_FOR_EACH;
    return (int) Math.max(1, Math.min(MOST, fit));
  }

  /** What comes of the verification of a recorder. */
  record RunningAudit(String recorder, FutureTask<AuditResult> task) {
    /** Waits for it, and throws what it failed with. */
    AuditResult verdict() throws Exception {
      try {
        return task.get();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof Exception failure) {
          throw failure;
        }
        throw e;
      }
    }
  }

  /**
   * Begins one.
   *
   * @param preparation runs at once, on the caller's thread; what it throws becomes the outcome
   */
  RunningAudit begin(String recorder, Callable<Verification> preparation) {
    FutureTask<AuditResult> task;
    try {
      Verification verification = preparation.call();
      task = new FutureTask<>(() -> run(recorder, verification));
      threads.execute(task);
    } catch (Exception failure) {
      task =
          new FutureTask<>(
              () -> {
                throw failure;
              });
      task.run();
    }
    return new RunningAudit(recorder, task);
  }

  private AuditResult run(String recorder, Verification verification) throws Exception {
    try (SharedRoom room = new SharedRoom(memory)) {
      if (line == null) {
        return verification.run(Progress.NONE, room);
      }
      try {
        return verification.run(line.of(recorder), room);
      } finally {
        line.finish(recorder);
      }
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
