package dev.recorder.time;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Makes daemon threads named {@code <role>-1}, {@code <role>-2}, …: a thread dump then reads like
 * the architecture. Daemon, because the life of the process is decided by its shutdown order, not
 * by whichever worker forgot to end.
 */
public final class NamedThreads implements ThreadFactory {
  private final String role;
  private final @Nullable Fatal fatal;
  private final AtomicInteger count = new AtomicInteger();

  /** Threads whose failures go to the process's own handler, if it has one. */
  public NamedThreads(String role) {
    this(role, null);
  }

  /** Threads whose failures {@code fatal} is told of. */
  public NamedThreads(String role, @Nullable Fatal fatal) {
    this.role = role;
    this.fatal = fatal;
  }

  @Override
  public Thread newThread(Runnable work) {
    Thread thread = new Thread(work, role + "-" + count.incrementAndGet());
    thread.setDaemon(true);
    Fatal told = fatal;
    if (told != null) {
      thread.setUncaughtExceptionHandler((failed, cause) -> told.failed(cause));
    }
    return thread;
  }
}
