package dev.recorder.testing.network;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/** Ports on loopback, for servers that take one from outside. */
public final class Ports {
  /** Below those that the kernel gives to outgoing connections, which could take a free one. */
  private static final int LOWEST = 20_000;

  private static final int HIGHEST = 32_000;
  private static final Duration START_WITHIN = Duration.ofMinutes(1);

  private Ports() {}

  /** One that nobody has now. */
  public static int free() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (BindException taken) {
        // Another one, then.
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }
  }

  /**
   * Waits until a process listens.
   *
   * @param log what it has said, for the message if it does not
   */
  public static void awaitListener(int port, Process process, Supplier<String> log) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < START_WITHIN.toNanos() && process.isAlive()) {
      try {
        new Socket(InetAddress.getLoopbackAddress(), port).close();
        return;
      } catch (IOException notYet) {
        sleep();
      }
    }
    throw new IllegalStateException("nobody listens on port " + port + ": " + log.get());
  }

  private static void sleep() {
    try {
      Thread.sleep(10);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }
}
