package dev.recorder.testing.network;

import dev.recorder.time.NamedThreadFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/**
 * Accepts connections on a random loopback port and serves each on a thread of its own, at most
 * {@link #MOST_CONNECTIONS} at a time; further ones are reset.
 */
final class Acceptor implements AutoCloseable {
  static final int MOST_CONNECTIONS = 256;

  private final Service service;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads;
  private final Socket reservation;
  private final InetSocketAddress address;
  private ServerSocket listener;
  private CompletableFuture<Void> accepting;

  /** Serves one connection and returns when it is over; the acceptor closes it then. */
  interface Service {
    void serve(Socket client) throws IOException, InterruptedException;
  }

  Acceptor(String name, Service service) {
    this.service = service;
    this.threads = Executors.newCachedThreadPool(new NamedThreadFactory(name));
    try {
      // A socket that is bound and never connected keeps the port while no listener has it.
      reservation = new Socket();
      share(reservation.supportedOptions(), reservation::setOption);
      reservation.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      address = (InetSocketAddress) reservation.getLocalSocketAddress();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    listen();
  }

  int port() {
    return address.getPort();
  }

  ExecutorService threads() {
    return threads;
  }

  /** Number of connections that are being served. */
  int connections() {
    return open.size();
  }

  /** Listens again after {@link #refuse}. */
  synchronized void listen() {
    if (listener != null) {
      return;
    }
    try {
      ServerSocket socket = new ServerSocket();
      share(socket.supportedOptions(), socket::setOption);
      socket.bind(address, MOST_CONNECTIONS);
      listener = socket;
      accepting = CompletableFuture.runAsync(() -> accept(socket), threads);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** From now on the kernel refuses new connections, as if nothing ran there. */
  synchronized void refuse() {
    try {
      if (listener != null) {
        listener.close();
        listener = null;
        // A thread that is still in accept() keeps the kernel's listener alive.
        accepting.join();
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Resets every open connection. */
  void resetAll() {
    open.forEach(Acceptor::reset);
  }

  /** Closes {@code socket} with a RST instead of a FIN. */
  static void reset(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
    } catch (IOException alreadyClosed) {
      // Then there is nothing left to reset.
    }
    closeQuietly(socket);
  }

  @Override
  public void close() {
    refuse();
    threads.shutdown();
    resetAll();
    threads.shutdownNow();
    closeQuietly(reservation);
  }

  private void accept(ServerSocket from) {
    while (!from.isClosed()) {
      try {
        admit(from.accept());
      } catch (IOException closed) {
        // The loop ends with its listener.
      }
    }
  }

  private void admit(Socket client) {
    if (open.size() >= MOST_CONNECTIONS) {
      reset(client);
      return;
    }
    open.add(client);
    try {
      threads.execute(() -> serve(client));
    } catch (RejectedExecutionException closed) {
      open.remove(client);
      reset(client);
    }
  }

  private void serve(Socket client) {
    try {
      client.setTcpNoDelay(true);
      service.serve(client);
    } catch (IOException | RejectedExecutionException broken) {
      reset(client);
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    } finally {
      closeQuietly(client);
      open.remove(client);
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException ignored) {
      // It is gone either way.
    }
  }

  private static void share(Set<SocketOption<?>> supported, Setter setter) throws IOException {
    setter.set(StandardSocketOptions.SO_REUSEADDR, true);
    if (supported.contains(StandardSocketOptions.SO_REUSEPORT)) {
      setter.set(StandardSocketOptions.SO_REUSEPORT, true);
    }
  }

  private interface Setter {
    void set(SocketOption<Boolean> option, Boolean value) throws IOException;
  }
}
