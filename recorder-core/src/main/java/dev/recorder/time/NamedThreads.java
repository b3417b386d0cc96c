package dev.recorder.time;

import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes daemon threads named {@code <role>-1}, {@code <role>-2}, …: a thread dump then reads like
 * the architecture. Daemon, because the life of the process is decided by its shutdown order, not
 * by whichever worker forgot to end.
 */
public final class NamedThreads implements ThreadFactory {
  private final String role;
  private final Fatal fatal;
  private final AtomicInteger count = new AtomicInteger();

  /** Threads whose failures go to the process's own handler, if it has one. */
  public NamedThreads(String role) {
    this(role, Fatal.OF_PROCESS);
  }

  /** Threads whose failures {@code fatal} is told of. */
  public NamedThreads(String role, Fatal fatal) {
    this.role = role;
    this.fatal = Objects.requireNonNull(fatal);
  }

  @Override
  public Thread newThread(Runnable work) {
    Thread thread = new Thread(work, role + "-" + count.incrementAndGet());
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler((failed, cause) -> fatal.failed(cause));
    return thread;
  }
}
