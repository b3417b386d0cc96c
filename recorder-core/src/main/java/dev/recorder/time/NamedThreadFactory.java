package dev.recorder.time;

import java.util.Objects;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Makes daemon threads named {@code <role>-1}, {@code <role>-2}, … so that a thread dump shows
 * their purpose. They are daemon threads because the process ends when its shutdown is complete,
 * not when its last thread ends.
 */
public final class NamedThreadFactory implements ThreadFactory {
  private final String role;
  private final FatalErrorHandler fatal;
  private final @Nullable ThreadGroup group;
  private final AtomicInteger count = new AtomicInteger();

  /** Makes threads whose failures go to the process's default handler. */
  public NamedThreadFactory(String role) {
    this(role, FatalErrorHandler.OF_PROCESS);
  }

  public NamedThreadFactory(String role, FatalErrorHandler fatal) {
    this(role, fatal, null);
  }

  /**
   * Makes threads in a group, which also gets the threads that they start.
   *
   * @param group null for the group of the calling thread
   */
  public NamedThreadFactory(String role, FatalErrorHandler fatal, @Nullable ThreadGroup group) {
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
