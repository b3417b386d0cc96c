package dev.recorder.app.http;

import dev.recorder.app.config.host.HttpConfig;
import dev.recorder.app.config.value.Secret;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.testing.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A port that is open while a story lasts, and those who speak to it byte by byte. */
final class Callers implements BeforeEachCallback, AfterEachCallback {
  /** More than sockets hold. */
  private static final HttpAnswer LARGE = HttpAnswer.figures("x".repeat(16 * 1024 * 1024));

  private static final int TIMEOUT = (int) Patience.A_MINUTE.toMillis();

  private final MachineMetrics metrics = new MachineMetrics(System::nanoTime, List.of());
  private final List<Socket> sockets = new ArrayList<>();
  private HttpPort port;

  @Override
  public void beforeEach(ExtensionContext context) throws IOException {
    port = open(null);
  }

  @Override
  public void afterEach(ExtensionContext context) throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    port.close();
  }

  /** From now on the port asks for this token. */
  void reopen(Secret token) throws IOException {
    port.close();
    port = open(token);
  }

  private HttpPort open(@Nullable Secret token) throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String listen = "127.0.0.1:" + free.getLocalPort();
      free.close(); // Before the port takes its number.
      Map<String, Supplier<HttpAnswer>> behind =
          Map.of("/metrics", () -> HttpAnswer.figures("figures\n"), "/large", () -> LARGE);
      return HttpPort.open(new HttpConfig(listen, token), metrics, behind);
    }
  }

  /** What waited for a thread when connections were cut off may have been cut off, too. */
  void awaitAlive() {
    Patience.await().until(this::isAlive);
  }

  boolean isAlive() throws IOException {
    return exchange("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", "alive").startsWith("HTTP/1.1 200");
  }

  /** Whether the port has ended a connection that it has not answered. */
  static boolean isCutOff(Socket socket) throws IOException {
    socket.setSoTimeout(1);
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException open) {
      return false;
    } catch (SocketException cutOff) {
      return true;
    }
  }

  Socket send(String text) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port.port());
    sockets.add(socket);
    socket.setSoTimeout(TIMEOUT);
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    return socket;
  }

  /** What is answered, up to this text or the connection's end. */
  String exchange(String request, String end) throws IOException {
    return read(send(request), end);
  }

  /** What is answered, up to the connection's end. */
  static String all(Socket socket) throws IOException {
    return read(socket, "\0never\0");
  }

  private static String read(Socket socket, String end) throws IOException {
    StringBuilder text = new StringBuilder();
    try {
      for (int c = socket.getInputStream().read(); c >= 0; c = socket.getInputStream().read()) {
        text.append((char) c);
        if (text.indexOf(end) >= 0) {
          break;
        }
      }
    } catch (SocketException cutOff) {
      // What it has answered before is what counts.
    }
    return text.toString();
  }
}
