package dev.recorder.time;

import java.util.Objects;
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
  private final Fatal fatal;
  private final @Nullable ThreadGroup group;
  private final AtomicInteger count = new AtomicInteger();

  /** Threads whose failures go to the process's own handler, if it has one. */
  public NamedThreads(String role) {
    this(role, Fatal.OF_PROCESS);
  }

  /** Threads whose failures are reported to {@code fatal}. */
  public NamedThreads(String role, Fatal fatal) {
    this(role, fatal, null);
  }

  /** The same, of a group, to which all threads belong that these start; null: the caller's. */
  public NamedThreads(String role, Fatal fatal, @Nullable ThreadGroup group) {
    this.role = role;
    this.fatal = Objects.requireNonNull(fatal);
    this.group = group;
  }

  @Override
  public Thread newThread(Runnable work) {
    Thread thread = new Thread(group, work, role + "-" + count.incrementAndGet());
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler((failed, cause) -> fatal.failed(cause));
    return thread;
  }
}
