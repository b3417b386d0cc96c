package dev.recorder.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.config.value.Secret;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The port as those see it who speak to it well, or not its language. */
@Timeout(300)
class HttpPortTest {
  @RegisterExtension private final Callers callers = new Callers();

  @Test
  void itAnswersWithAStatusAndAWord() throws IOException {
    String answer = callers.exchange("GET /healthz HTTP/1.1\r\nHost: any.example\r\n\r\n", "alive");

    assertThat(answer).startsWith("HTTP/1.1 200").contains("no-store", "nosniff");
  }

  @Test
  void aHeadHasNoBody() throws IOException {
    String head = "HEAD /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

    assertThat(Callers.all(callers.send(head))).startsWith("HTTP/1.1 200").endsWith("\r\n\r\n");
  }

  @Test
  void itOnlyLetsRead() throws IOException {
    String post = "POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx";

    assertThat(callers.exchange(post, "GET or HEAD")).startsWith("HTTP/1.1 405");
  }

  @Test
  void itKnowsNoOtherPaths() throws IOException {
    for (String path : List.of("/", "/healthz/", "/recorders/", "/recorders/x", "/%00", "//a")) {
      String get = "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
      assertThat(Callers.all(callers.send(get))).as(path).startsWith("HTTP/1.1 404");
    }
  }

  @Test
  void figuresAskForTheTokenAndTheStatusDoesNot() throws IOException {
    callers.reopen(new Secret("0123456789abcdef"));

    assertThat(callers.exchange("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n", "a token is needed"))
        .startsWith("HTTP/1.1 401")
        .containsIgnoringCase("www-authenticate: basic");
    String right =
        "GET /metrics HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer 0123456789abcdef\r\n\r\n";
    assertThat(callers.exchange(right, "figures")).contains("version=0.0.4");
    assertThat(callers.exchange("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", "alive"))
        .contains("200");
  }

  @Test
  void aHeaderWithoutEndIsNotKept() throws IOException {
    String tooLong = "x".repeat(40_000);
    Socket socket = callers.send("GET /healthz HTTP/1.1\r\nHost: x\r\nX: " + tooLong + "\r\n\r\n");

    assertThat(Callers.all(socket)).doesNotContain(" 200 ");
  }
}
