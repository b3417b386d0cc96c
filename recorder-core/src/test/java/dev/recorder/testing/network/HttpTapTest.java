package dev.recorder.testing.network;

import static dev.recorder.testing.Patience.await;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The tap between raw sockets, so that every byte is seen. */
@Timeout(300)
class HttpTapTest {
  private static final String PUT =
      lines(
          "PUT /bucket/a%20key?x=1 HTTP/1.1",
          "Host: h",
          "x-amz-meta-writer: alpha",
          "X-Amz-Meta-Epoch: 7",
          "Content-Length: 4",
          "",
          "body");

  private final List<String> served = new CopyOnWriteArrayList<>();
  private final Acceptor server = new Acceptor("server", this::serve);
  private final HttpTap tap = HttpTap.to(server.port());
  private Socket client;
  private InputStream in;

  @BeforeEach
  void connect() throws IOException {
    client = new Socket(InetAddress.getLoopbackAddress(), tap.port());
    in = new BufferedInputStream(client.getInputStream());
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    tap.close();
    server.close();
  }

  @Test
  void forwardsByteForByteAndNotesTheRequest() throws IOException {
    send(PUT);

    assertThat(answer("PUT")).isEqualTo("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    assertThat(served).containsExactly(PUT);
    HttpTap.Request request = tap.requests().get(0);
    assertThat(request.method()).isEqualTo("PUT");
    assertThat(request.path()).isEqualTo("/bucket/a key");
    assertThat(request.writer()).contains("alpha");
    assertThat(request.epoch()).contains(7L);
  }

  @Test
  void severalRequestsShareAConnection() throws IOException {
    send(PUT);
    answer("PUT");
    send(lines("HEAD /bucket/k HTTP/1.1", "Host: h", "", ""));

    assertThat(answer("HEAD")).isEqualTo("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n");
    assertThat(tap.requests()).extracting(HttpTap.Request::method).containsExactly("PUT", "HEAD");
  }

  @Test
  void chunksAndTrailersArriveAsSent() throws IOException {
    String chunked =
        lines(
            "PUT /bucket/k HTTP/1.1",
            "Transfer-Encoding: chunked",
            "",
            "4;ext=1",
            "body",
            "0",
            "x-checksum: abc",
            "",
            "");

    send(chunked);

    assertThat(answer("PUT")).contains("200");
    assertThat(served).containsExactly(chunked);
  }

  @Test
  void expectContinueIsAskedOfTheServer() throws IOException {
    send(lines("PUT /b/k HTTP/1.1", "Expect: 100-continue", "Content-Length: 4", "", ""));
    assertThat(answer("PUT")).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
    send("body");

    assertThat(answer("PUT")).contains("200");
    assertThat(served.get(0)).contains("Expect").endsWith("body");
  }

  @Test
  void answersInTheServersPlace() throws IOException {
    tap.onNext(1, request -> true, Fault.answer(503, "SlowDown"));
    send(PUT);

    assertThat(answer("PUT")).startsWith("HTTP/1.1 503 ").contains("<Code>SlowDown</Code>");
    assertThat(served).isEmpty();
  }

  @Test
  void dropsTheAnswerOfARequestThatTheServerHasCarriedOut() throws IOException {
    tap.onNext(1, request -> true, Fault.dropAnswer());
    send(PUT);

    assertThatThrownBy(() -> answer("PUT")).isInstanceOf(SocketException.class);
    assertThat(served).containsExactly(PUT);
  }

  @Test
  void forgetsRequestsWhenItIsTold() throws IOException {
    send(PUT);
    answer("PUT");
    tap.forgetRequests();

    assertThat(tap.requests()).isEmpty();
  }

  @Test
  void holdsARequestUntilItIsReleasedEvenIfItsClientHasLeft() throws IOException {
    tap.onNext(1, request -> true, Fault.hold());
    send(PUT);
    await().until(() -> tap.holding() == 1);
    client.close();
    assertThat(served).isEmpty();

    tap.release();

    await().untilAsserted(() -> assertThat(served).containsExactly(PUT));
  }

  @Test
  void repeatsARequestAndAnswersWhatTheSecondBrought() throws IOException {
    tap.onNext(1, request -> true, Fault.repeat());
    send(PUT);

    assertThat(answer("PUT")).contains("200");
    assertThat(served).containsExactly(PUT, PUT);
  }

  @Test
  void forwardsARequestWithoutItsCondition() throws IOException {
    tap.onNext(1, request -> true, Fault.ignoreCondition());
    send(PUT.replace("Host: h", "If-None-Match: *"));

    assertThat(answer("PUT")).contains("200");
    assertThat(served).containsExactly(PUT.replace("Host: h\r\n", ""));
  }

  @Test
  void isAwayAndComesBackOnTheSamePort() throws IOException {
    send(PUT);
    answer("PUT");

    tap.goAway();
    assertThatThrownBy(() -> answer("PUT")).isInstanceOf(SocketException.class);
    assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
    tap.comeBack();

    connect();
    send(PUT);
    assertThat(answer("PUT")).contains("200");
  }

  @Test
  void onlyTheChosenRequestsAreHarmed() throws IOException {
    tap.onNext(1, request -> request.method().equals("GET"), Fault.answer(500, "InternalError"));
    send(PUT);

    assertThat(answer("PUT")).contains("200");
  }

  private static String lines(String... lines) {
    return String.join("\r\n", lines);
  }

  private void send(String text) throws IOException {
    client.getOutputStream().write(text.getBytes(ISO_8859_1));
  }

  /** The next message from the tap, an interim one too. */
  private String answer(String method) throws IOException {
    HttpMessage head = HttpMessage.read(in);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    head.writeHead(text);
    if (!head.isInterim()) {
      head.copyResponseBody(method, in, text);
    }
    return text.toString(ISO_8859_1);
  }

  private void serve(Socket from) throws IOException {
    InputStream requests = new BufferedInputStream(from.getInputStream());
    OutputStream answers = from.getOutputStream();
    HttpMessage head;
    while ((head = HttpMessage.read(requests)) != null) {
      if (head.awaitsContinue()) {
        answers.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(ISO_8859_1));
      }
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      head.writeHead(text);
      head.copyRequestBody(requests, text);
      served.add(text.toString(ISO_8859_1));
      String body = head.startLine().startsWith("HEAD") ? "" : "ok";
      answers.write(("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n" + body).getBytes(ISO_8859_1));
    }
  }
}
