package dev.recorder.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.config.HttpConfig;
import dev.recorder.app.config.Secret;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.testing.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The port as those see it who speak to it well, slowly, or not at all. */
@Timeout(300)
class HttpPortTest {
  private static final int TIMEOUT = (int) Patience.A_MINUTE.toMillis();

  private final MachineMetrics metrics = new MachineMetrics(System::nanoTime, List.of());
  private final List<Socket> sockets = new ArrayList<>();
  private HttpPort port;

  @BeforeEach
  void open() throws IOException {
    port = open(null);
  }

  private HttpPort open(@Nullable Secret token) throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String listen = "127.0.0.1:" + free.getLocalPort();
      free.close(); // Before the port takes its number.
      Map<String, Supplier<Answer>> behind = Map.of("/metrics", () -> Answer.figures("figures\n"));
      return HttpPort.open(new HttpConfig(listen, token), metrics, behind);
    }
  }

  @AfterEach
  void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    port.close();
  }

  @Test
  void itAnswersWithAStatusAndAWord() throws IOException {
    String answer = exchange("GET /healthz HTTP/1.1\r\nHost: any.example\r\n\r\n", "alive");

    assertThat(answer).startsWith("HTTP/1.1 200").contains("no-store", "nosniff");
  }

  @Test
  void aHeadHasNoBody() throws IOException {
    String head = "HEAD /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

    assertThat(all(send(head))).startsWith("HTTP/1.1 200").endsWith("\r\n\r\n");
  }

  @Test
  void itOnlyLetsRead() throws IOException {
    String post = "POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx";

    assertThat(exchange(post, "GET or HEAD")).startsWith("HTTP/1.1 405");
  }

  @Test
  void itKnowsNoOtherPaths() throws IOException {
    for (String path : List.of("/", "/healthz/", "/recorders/", "/recorders/x", "/%00", "//a")) {
      String get = "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
      assertThat(all(send(get))).as(path).startsWith("HTTP/1.1 404");
    }
  }

  @Test
  void figuresAskForTheTokenAndTheStatusDoesNot() throws IOException {
    port.close();
    port = open(new Secret("0123456789abcdef"));

    assertThat(exchange("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", "a token is needed"))
        .startsWith("HTTP/1.1 401")
        .containsIgnoringCase("www-authenticate: basic");
    String right =
        "GET /metrics HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer 0123456789abcdef\r\n\r\n";
    assertThat(exchange(right, "figures")).contains("version=0.0.4");
    assertThat(exchange("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", "alive")).contains("200");
  }

  @Test
  void whoeverSendsHalfARequestHoldsNoThreadForEver() throws IOException {
    List<Socket> slow = new ArrayList<>();
    for (int i = 0; i < HttpPort.THREADS; i++) {
      slow.add(send("GET /healthz HTTP/1.1\r\nHo"));
    }

    awaitAlive();

    for (Socket socket : slow) {
      assertThat(all(socket)).as("cut off").doesNotContain("200");
    }
  }

  @Test
  void whoeverSendsHalfABodyHoldsNoThreadForEver() throws IOException {
    for (int i = 0; i < HttpPort.THREADS; i++) {
      send("POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nx");
    }

    awaitAlive();
  }

  @Test
  void itHasNoMoreConnectionsThanItsBound() throws IOException {
    List<Socket> many = new ArrayList<>();
    for (int i = 0; i < HttpPort.CONNECTIONS + 10; i++) {
      many.add(send("GET /healthz HTTP/1.1\r\n"));
    }

    awaitAlive();
    assertThat(many).hasSize(HttpPort.CONNECTIONS + 10);
  }

  @Test
  void whoeverConnectsAndSaysNothingIsSentAway() throws IOException {
    for (int i = 0; i < HttpPort.CONNECTIONS; i++) {
      send("");
    }

    awaitAlive();
  }

  @Test
  void aHeaderWithoutEndIsNotKept() throws IOException {
    String tooLong = "x".repeat(40_000);
    Socket socket = send("GET /healthz HTTP/1.1\r\nHost: x\r\nX: " + tooLong + "\r\n\r\n");

    assertThat(all(socket)).doesNotContain(" 200 ");
  }

  /** What waited for a thread when connections were cut off may have been cut off, too. */
  private void awaitAlive() {
    String ask = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
    Patience.await().until(() -> exchange(ask, "alive").startsWith("HTTP/1.1 200"));
  }

  private Socket send(String text) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port.port());
    sockets.add(socket);
    socket.setSoTimeout(TIMEOUT);
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    return socket;
  }

  /** What is answered, up to this text or the connection's end. */
  private String exchange(String request, String end) throws IOException {
    return read(send(request), end);
  }

  /** What is answered, up to the connection's end. */
  private static String all(Socket socket) throws IOException {
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
