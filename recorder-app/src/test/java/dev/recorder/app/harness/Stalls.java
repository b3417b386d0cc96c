package dev.recorder.app.harness;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much the machine keeps processes from their work: a thread that does nothing but sleep, ten
 * times a second, adds up by how much it came too late. Thread-safe.
 */
public final class Stalls implements AutoCloseable {
  private static final long EVERY_NANOS = 100_000_000;

  private final AtomicLong nanos = new AtomicLong();
  private final Thread thread = new Thread(this::work, "stalls");

  private Stalls() {
    thread.setDaemon(true);
  }

  /** Adds up from now on. */
  public static Stalls start() {
    Stalls stalls = new Stalls();
    stalls.thread.start();
    return stalls;
  }

  /** All that there was since the beginning. */
  public long nanos() {
    return nanos.get();
  }

  private void work() {
    try {
      while (true) {
        long due = System.nanoTime() + EVERY_NANOS;
        Thread.sleep(EVERY_NANOS / 1_000_000);
        nanos.addAndGet(Math.max(0, System.nanoTime() - due));
      }
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
