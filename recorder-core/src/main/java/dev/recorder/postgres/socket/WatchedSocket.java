package dev.recorder.postgres.socket;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/**
 * A socket whose stream is read in turn by the driver, and by an {@link IdleWatch} while the driver
 * does not read. Its reported time-out is the driver's.
 */
final class WatchedSocket extends Socket {
  private final IdleWatch watch;

  // Guarded by this. Code that was given the stream reads the field without the lock.
  private @Nullable InputStream raw;
  private int timeoutMillis;

  WatchedSocket(IdleWatch watch) {
    this.watch = watch;
  }

  @Override
  public synchronized InputStream getInputStream() throws IOException {
    if (raw == null) {
      raw = super.getInputStream();
      watch.connected(this);
    }
    return new WatchedStream(raw);
  }

  @Override
  public synchronized void setSoTimeout(int millis) throws SocketException {
    timeoutMillis = millis;
    super.setSoTimeout(millis);
  }

  @Override
  public synchronized int getSoTimeout() {
    return timeoutMillis;
  }

  int read(byte[] into, int offset, int length, int withinMillis) throws IOException {
    super.setSoTimeout(withinMillis);
    InputStream connection = raw;
    return connection == null ? -1 : connection.read(into, offset, length);
  }

  private final class WatchedStream extends InputStream {
    private final InputStream connection;

    WatchedStream(InputStream connection) {
      this.connection = connection;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      return watch.read(WatchedSocket.this, into, offset, length);
    }

    @Override
    public int available() throws IOException {
      return watch.available() + connection.available();
    }

    @Override
    public void close() throws IOException {
      connection.close();
    }
  }
}
