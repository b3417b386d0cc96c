package dev.recorder.requests.handlers;

import dev.recorder.requests.WorkUnit;
import dev.recorder.time.NamedThreadFactory;
import dev.recorder.time.Pause;
import dev.recorder.time.Ticker;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * A running program. For the thread that started it.
 *
 * <p>That thread reads the output without blocking, since a child that the program leaves behind
 * may keep the pipe open. Writes to the program cannot avoid blocking, and have a thread of their
 * own.
 */
final class RunningProgram implements AutoCloseable {
  private static final NamedThreadFactory FEEDERS = new NamedThreadFactory("exec-stdin");
  private static final Duration KILL_PATIENCE = Duration.ofSeconds(4);
  private static final Duration KILL_POLL = Duration.ofMillis(5);
  private static final long QUIET_MILLIS = 20;
  private static final long TALKING_MILLIS = 1;
  private static final int KEPT_BYTES = 16 * 1024;

  /**
   * The most bytes read after the end. That is more than a pipe holds, so later bytes are another
   * process's.
   */
  private static final int MOST_BYTES_AFTER_END = 1024 * 1024;

  private final Process process;
  private final Ticker ticker;
  private final InputStream stderr;
  private final LastBytes said = new LastBytes(KEPT_BYTES);
  private final byte[] chunk = new byte[KEPT_BYTES];

  RunningProgram(Process process, Ticker ticker) {
    this.process = process;
    this.ticker = ticker;
    this.stderr = process.getErrorStream();
  }

  /** Begins to write {@code unit} to the program, followed by end of file. */
  void feed(WorkUnit unit) {
    FEEDERS.newThread(() -> write(unit)).start();
  }

  private void write(WorkUnit unit) {
    try (OutputStream stdin = process.getOutputStream()) {
      UnitJson.write(unit, stdin);
    } catch (IOException notRead) {
      // A program may close its input early, or have ended. Its exit code is the outcome.
    }
  }

  /** Waits for the program's end; returns false if that takes longer than {@code limit}. */
  boolean await(Duration limit) throws InterruptedException {
    long deadline = ticker.nanos() + limit.toNanos();
    long pause = QUIET_MILLIS;
    while (!process.waitFor(pause, TimeUnit.MILLISECONDS)) {
      if (ticker.nanos() - deadline >= 0) {
        return false;
      }
      pause = listen() > 0 ? TALKING_MILLIS : QUIET_MILLIS;
    }
    return true;
  }

  int exitCode() {
    return process.exitValue();
  }

  /** Returns the end of the program's standard error so far. */
  String said() {
    int bytes = 0;
    int heard = listen();
    while (heard > 0 && bytes < MOST_BYTES_AFTER_END) {
      bytes += heard;
      heard = listen();
    }
    return said.text();
  }

  private int listen() {
    try {
      int count = stderr.read(chunk, 0, Math.min(stderr.available(), chunk.length));
      said.add(chunk, Math.max(count, 0));
      return count;
    } catch (IOException closed) {
      return 0;
    }
  }

  /**
   * Kills the program and all its descendants. Returns when they are gone, or after some time if
   * the kernel keeps one.
   *
   * @return whether they are gone
   */
  boolean kill() {
    if (!process.isAlive()) {
      return true;
    }
    List<ProcessHandle> killed = new ArrayList<>();
    Queue<ProcessHandle> left = new ArrayDeque<>(List.of(process.toHandle()));
    while (!left.isEmpty()) {
      ProcessHandle next = left.remove();
      // Children are listed before the kill, since a dead process's children move to another
      // parent.
      next.children().forEach(left::add);
      next.destroyForcibly();
      killed.add(next);
    }
    return awaitEnd(killed);
  }

  private boolean awaitEnd(Collection<ProcessHandle> killed) {
    long deadline = ticker.nanos() + KILL_PATIENCE.toNanos();
    boolean interrupted = false;
    boolean gone = areGone(killed);
    while (!gone && ticker.nanos() - deadline < 0) {
      try {
        Pause.sleep(KILL_POLL);
      } catch (InterruptedException again) {
        interrupted = true;
      }
      gone = areGone(killed);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return gone;
  }

  private static boolean areGone(Collection<ProcessHandle> killed) {
    return killed.stream().noneMatch(RunningProgram::runs);
  }

  /** Whether a process runs; a zombie has ended, even if its parent has not noticed yet. */
  private static boolean runs(ProcessHandle process) {
    return process.isAlive() && process.info().command().isPresent();
  }

  /** Kills the processes that still run. */
  @Override
  public void close() {
    kill();
    try {
      stderr.close();
    } catch (IOException alreadyClosed) {
      // The output is read no further.
    }
  }
}
