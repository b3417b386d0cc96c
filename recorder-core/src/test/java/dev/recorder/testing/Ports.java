package dev.recorder.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.function.Supplier;

/** Ports on loopback, for servers that take one from outside. */
final class Ports {
  private static final Duration START_WITHIN = Duration.ofMinutes(1);

  private Ports() {}

  /** One that nobody has now. */
  static int free() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /**
   * Waits until a process listens.
   *
   * @param log what it has said, for the message if it does not
   */
  static void awaitListener(int port, Process process, Supplier<String> log) {
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
