package dev.recorder.testing.network;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Stands between a recorder and PostgreSQL, and can harm the sessions of one purpose alone: what a
 * session is for is the last part of its {@code application_name}, which stands in the first packet
 * that a client sends.
 *
 * <p>Each connection passes two {@link TcpProxy}s, {@link #all()} and the one of its purpose. Only
 * {@link #all()} can refuse as a closed port does; of the others a refused session is reset during
 * its handshake. TLS is answered as a server without it does. Thread-safe.
 */
public final class PostgresProxy implements AutoCloseable {
  private static final int LONGEST_FIRST_PACKET = 10_000;
  private static final int SSL_REQUEST = 80_877_103;
  private static final int GSS_ENCRYPTION_REQUEST = 80_877_104;
  private static final int PROTOCOL_3 = 3 << 16;

  private final Map<Purpose, TcpProxy> proxies = new EnumMap<>(Purpose.class);
  private final TcpProxy front;

  /** What a session is for. */
  public enum Purpose {
    CONTROL,
    DATA,
    LISTEN,
    /** Whatever names none of these, cancel requests too. */
    OTHER;

    private static Purpose of(String applicationName) {
      String last = applicationName.substring(applicationName.lastIndexOf('/') + 1);
      for (Purpose purpose : values()) {
        if (last.equals(purpose.name().toLowerCase(Locale.ROOT))) {
          return purpose;
        }
      }
      return OTHER;
    }
  }

  private PostgresProxy(int target) {
    for (Purpose purpose : Purpose.values()) {
      proxies.put(purpose, TcpProxy.to(target));
    }
    front = new TcpProxy(this::route);
  }

  /** A proxy for a server on this host. */
  public static PostgresProxy to(int port) {
    return new PostgresProxy(port);
  }

  public int port() {
    return front.port();
  }

  /** Every connection. */
  public TcpProxy all() {
    return front;
  }

  /** The sessions of one purpose, those to come too. */
  public TcpProxy sessions(Purpose purpose) {
    TcpProxy proxy = proxies.get(purpose);
    if (proxy == null) {
      throw new IllegalArgumentException(purpose.name());
    }
    return proxy;
  }

  /** Undoes every fault. */
  public void heal() {
    proxies.values().forEach(TcpProxy::heal);
    front.heal();
  }

  @Override
  public void close() {
    front.close();
    proxies.values().forEach(TcpProxy::close);
  }

  private TcpProxy.Route route(Socket client) throws IOException {
    byte[] packet = firstPacket(client);
    while (asksForEncryption(packet)) {
      client.getOutputStream().write('N');
      packet = firstPacket(client);
    }
    Purpose purpose = Purpose.of(parameters(packet).getOrDefault("application_name", ""));
    return new TcpProxy.Route(sessions(purpose).port(), new ByteArrayInputStream(packet));
  }

  private static byte[] firstPacket(Socket client) throws IOException {
    DataInputStream in = new DataInputStream(client.getInputStream());
    int length = in.readInt();
    if (length < 8 || length > LONGEST_FIRST_PACKET) {
      throw new IOException("not PostgreSQL's protocol: a first packet of " + length + " bytes");
    }
    byte[] rest = in.readNBytes(length - Integer.BYTES);
    return ByteBuffer.allocate(Integer.BYTES + rest.length).putInt(length).put(rest).array();
  }

  private static boolean asksForEncryption(byte[] packet) {
    int code = code(packet);
    return code == SSL_REQUEST || code == GSS_ENCRYPTION_REQUEST;
  }

  private static int code(byte[] packet) {
    return ByteBuffer.wrap(packet).getInt(Integer.BYTES);
  }

  /** Names and values in turn, each with a zero byte behind it. */
  private static Map<String, String> parameters(byte[] packet) {
    Map<String, String> parameters = new HashMap<>();
    if (code(packet) == PROTOCOL_3) {
      String[] words = new String(packet, 8, packet.length - 8, UTF_8).split("\0", -1);
      for (int i = 0; i + 1 < words.length && !words[i].isEmpty(); i += 2) {
        parameters.put(words[i], words[i + 1]);
      }
    }
    return parameters;
  }
}
