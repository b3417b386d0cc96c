package dev.recorder.time;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes daemon threads named {@code <role>-1}, {@code <role>-2}, …: a thread dump then reads like
 * the architecture. Daemon, because the life of the process is decided by its shutdown order, not
 * by whichever worker forgot to end.
 */
public final class NamedThreads implements ThreadFactory {
  private final String role;
  private final AtomicInteger count = new AtomicInteger();

  public NamedThreads(String role) {
    this.role = role;
  }

  @Override
  public Thread newThread(Runnable work) {
    Thread thread = new Thread(work, role + "-" + count.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }
}
