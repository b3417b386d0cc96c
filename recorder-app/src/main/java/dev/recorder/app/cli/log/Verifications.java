package dev.recorder.app.cli.log;

import dev.recorder.audit.AuditResult;
import dev.recorder.audit.Progress;
import dev.recorder.memory.MemoryBudget;
import dev.recorder.time.NamedThreadFactory;
import dev.recorder.time.Ticker;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Runs up to {@value #MOST} verifications at a time. Each takes two sessions, two threads and a
 * share of the heap.
 */
final class Verifications implements AutoCloseable {
  private static final int MOST = 4;

  /**
   * Room for a slot, which needs twice its size while it is decompressed, for sums and for rows in
   * doubt.
   */
  private static final long HEAP_FOR_EACH = 384L << 20;

  private final ExecutorService threads =
      Executors.newFixedThreadPool(atOnce(), new NamedThreadFactory("verify"));

  /** Shared by all verifications, so that large objects wait for each other. */
  private final MemoryBudget memory = new MemoryBudget(MemoryBudget.mostAlone(), Ticker.system());

  private final @Nullable ProgressLine line;

  Verifications(@Nullable ProgressLine line) {
    this.line = line;
  }

  private static int atOnce() {
    long fit = Runtime.getRuntime().maxMemory() / HEAP_FOR_EACH;
    return (int) Math.max(1, Math.min(MOST, fit));
  }

  /** The running verification of a recorder. */
  record RunningAudit(String recorder, FutureTask<AuditResult> task) {
    /** Waits for the result, and rethrows a failure of the verification. */
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
   * Begins a verification.
   *
   * @param preparation runs at once, on the caller's thread; its failure becomes the outcome
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
    try (MemoryShare room = new MemoryShare(memory)) {
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
