package dev.recorder.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.SocketFactory;

/**
 * Makes the sockets of sessions that an {@link IdleWatch} reads. The driver makes factories by
 * their class's name and hands them a string, here a watch's number in the list of those that are
 * being connected.
 */
public final class WatchedSocketFactory extends SocketFactory {
  private static final Map<String, IdleWatch> CONNECTING = new ConcurrentHashMap<>();

  private final IdleWatch watch;

  /** For the driver. */
  public WatchedSocketFactory(String number) {
    this.watch = Objects.requireNonNull(CONNECTING.get(number));
  }

  /** Until it is closed the driver finds {@code watch} by its number. */
  static Entry enter(IdleWatch watch) {
    String number = UUID.randomUUID().toString();
    CONNECTING.put(number, watch);
    return new Entry(number);
  }

  record Entry(String number) implements AutoCloseable {
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

  /** A socket whose stream is read by two, in turn. */
  private static final class WatchedSocket extends Socket {
    private final IdleWatch watch;

    WatchedSocket(IdleWatch watch) {
      this.watch = watch;
    }

    @Override
    public InputStream getInputStream() throws IOException {
      InputStream raw = super.getInputStream();
      watch.connected(raw);
      return new WatchedStream(this, raw, watch);
    }
  }

  private static final class WatchedStream extends InputStream {
    private final Socket socket;
    private final InputStream raw;
    private final IdleWatch watch;

    WatchedStream(Socket socket, InputStream raw, IdleWatch watch) {
      this.socket = socket;
      this.raw = raw;
      this.watch = watch;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      return watch.read(socket, raw, into, offset, length);
    }

    @Override
    public int available() throws IOException {
      return watch.available() + raw.available();
    }

    @Override
    public void close() throws IOException {
      raw.close();
    }
  }
}
