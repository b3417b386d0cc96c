package dev.recorder.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.testing.Patience;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The port as those see it who speak to it slowly, or not at all: each story waits for limits. */
@Timeout(300)
class SlowCallersIT {
  private static final int HALF_SENT = 64;

  @RegisterExtension private final Callers callers = new Callers();
  private int cutOff;

  @Test
  void whoeverSendsHalfARequestHoldsNoThreadForEver() throws IOException {
    List<Socket> slow = new ArrayList<>();
    for (int i = 0; i < HALF_SENT; i++) {
      slow.add(callers.send("GET /healthz HTTP/1.1\r\nHo"));
    }

    callers.awaitAlive();

    for (Socket socket : slow) {
      assertThat(Callers.all(socket)).as("cut off").doesNotContain("200");
    }
  }

  @Test
  void whoeverSendsHalfABodyHoldsNoThreadForEver() throws IOException {
    for (int i = 0; i < HALF_SENT; i++) {
      callers.send("POST /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nx");
    }

    callers.awaitAlive();
  }

  /** A caller is answered before a half-sent request is cut off, at least once in many attempts. */
  @Test
  void whoeverSendsHalfRequestsAgainAndAgainKeepsNobodyWaiting() {
    Patience.await().until(() -> isAlive() && cutOff == 0);
  }

  private boolean isAlive() throws IOException {
    List<Socket> slow = new ArrayList<>();
    for (int i = 0; i < HALF_SENT; i++) {
      slow.add(callers.send("GET /healthz HTTP/1.1\r\nHo"));
    }
    boolean alive = callers.isAlive();
    cutOff = 0;
    for (Socket each : slow) {
      cutOff += Callers.isCutOff(each) ? 1 : 0;
      each.close();
    }
    return alive;
  }

  @Test
  void whoeverTakesNoAnswerKeepsNobodyWaiting() throws IOException {
    for (int i = 0; i < HALF_SENT; i++) {
      callers.send("GET /large HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    }

    for (int round = 0; round < 20; round++) {
      callers.awaitAlive();
    }
  }

  @Test
  void itHasNoMoreConnectionsThanItsBound() throws IOException {
    for (int i = 0; i < HttpPort.CONNECTIONS + 10; i++) {
      callers.send("GET /healthz HTTP/1.1\r\n");
    }

    callers.awaitAlive();
  }

  @Test
  void whoeverConnectsAndSaysNothingIsSentAway() throws IOException {
    for (int i = 0; i < HttpPort.CONNECTIONS; i++) {
      callers.send("");
    }

    callers.awaitAlive();
  }
}
