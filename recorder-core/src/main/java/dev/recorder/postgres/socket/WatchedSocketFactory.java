package dev.recorder.postgres.socket;

import java.net.InetAddress;
import java.net.Socket;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.SocketFactory;

/**
 * Makes the sockets of sessions that an {@link IdleWatch} reads. The driver creates factories by
 * their class's name and passes them a string: here the key of a watch whose session is being
 * connected.
 */
public final class WatchedSocketFactory extends SocketFactory {
  private static final Map<String, IdleWatch> CONNECTING = new ConcurrentHashMap<>();

  private final IdleWatch watch;

  /** Called by the driver. */
  public WatchedSocketFactory(String number) {
    this.watch = Objects.requireNonNull(CONNECTING.get(number));
  }

  /** Registers {@code watch} for the driver until the entry is closed. */
  public static SocketEntry enter(IdleWatch watch) {
    String number = UUID.randomUUID().toString();
    CONNECTING.put(number, watch);
    return new SocketEntry(number);
  }

  public record SocketEntry(String number) implements AutoCloseable {
    @Override
    public void close() {
      CONNECTING.remove(number);
    }
  }

  @Override
  public Socket createSocket() {
    return new WatchedSocket(watch);
  }

  @Override
  public Socket createSocket(String host, int port) {
    throw new UnsupportedOperationException("the driver connects by itself");
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort) {
    throw new UnsupportedOperationException("the driver connects by itself");
  }

  @Override
  public Socket createSocket(InetAddress host, int port) {
    throw new UnsupportedOperationException("the driver connects by itself");
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
    throw new UnsupportedOperationException("the driver connects by itself");
  }
}
