package dev.recorder.testing.network;

import static dev.recorder.testing.Patience.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class TcpProxyTest {
  /** How long silence is watched; what is wrongly forwarded arrives within microseconds. */
  private static final Duration SILENCE = Duration.ofMillis(50);

  private final Acceptor echo =
      new Acceptor("echo", client -> client.getInputStream().transferTo(client.getOutputStream()));
  private final TcpProxy proxy = TcpProxy.to(echo.port());
  private final List<Socket> clients = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (Socket client : clients) {
      client.close();
    }
    proxy.close();
    echo.close();
  }

  @Test
  void forwardsBothWaysAndCountsBytes() throws IOException {
    Socket client = connect();

    assertThat(send(client, "hello")).isEqualTo("hello");

    assertThat(proxy.bytesToTarget()).isEqualTo(5);
    assertThat(proxy.bytesToClient()).isEqualTo(5);
  }

  @Test
  void redirectedItLeadsNewConnectionsElsewhere() throws IOException {
    Socket before = connect();
    send(before, "hello");
    Acceptor other =
        new Acceptor("other", client -> client.getOutputStream().write("bye".getBytes(UTF_8)));
    try {
      proxy.redirect(other.port());

      assertThat(read(connect(), 3)).isEqualTo("bye");
      assertThat(send(before, "still")).isEqualTo("still");
    } finally {
      other.close();
    }
  }

  @Test
  void aPausedConnectionIsSilentAndGoesOnWhenResumed() throws IOException {
    Socket client = connect();
    send(client, "before");
    proxy.pause();

    write(client, "held");
    assertSilent(client);
    assertThat(proxy.bytesToTarget()).isEqualTo("before".length());

    proxy.resume();
    assertThat(read(client, 4)).isEqualTo("held");
  }

  @Test
  void oneWayCanBePausedAlone() throws IOException {
    Socket client = connect();
    proxy.pauseToClient();

    write(client, "heard");
    await().until(() -> proxy.bytesToTarget() == 5);
    assertSilent(client);

    proxy.resume();
    assertThat(read(client, 5)).isEqualTo("heard");
  }

  @Test
  void theClosingOfOneSideDoesNotPassAPause() throws IOException {
    Socket client = connect();
    send(client, "open");
    proxy.pause();

    client.close();
    await().during(SILENCE).until(() -> echo.connections() == 1);

    proxy.resume();
    await().until(() -> echo.connections() == 0);
  }

  @Test
  void resetEndsBothSides() throws IOException {
    Socket client = connect();
    send(client, "open");

    proxy.reset();

    assertThatThrownBy(() -> read(client, 1)).isInstanceOf(SocketException.class);
    await().until(() -> echo.connections() == 0 && proxy.connections() == 0);
    assertThat(send(connect(), "anew")).isEqualTo("anew");
  }

  @Test
  void resetEndsPausedAndUnansweredConnectionsToo() throws IOException {
    Socket paused = connect();
    send(paused, "open");
    proxy.cut();
    write(paused, "held");
    connect();
    await().until(() -> proxy.connections() == 2);

    proxy.reset();

    await().until(() -> echo.connections() == 0 && proxy.connections() == 0);
  }

  @Test
  void refusesNewConnectionsOnTheSamePortAndKeepsTheOldOnes() throws IOException {
    Socket old = connect();
    send(old, "open");

    proxy.refuseNew();

    assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
    assertThat(send(old, "still")).isEqualTo("still");
    proxy.acceptNew();
    assertThat(send(connect(), "anew")).isEqualTo("anew");
  }

  @Test
  void aBlackHoleOpensConnectionsAndAnswersOnceItIsHealed() throws IOException {
    proxy.blackholeNew();
    Socket client = connect();
    write(client, "anyone?");
    assertSilent(client);
    assertThat(echo.connections()).isZero();

    proxy.heal();

    assertThat(read(client, 7)).isEqualTo("anyone?");
  }

  @Test
  void delaysEachWay() throws IOException {
    Socket client = connect();
    send(client, "warm");
    proxy.delay(Duration.ofMillis(40));

    long start = System.nanoTime();
    send(client, "slow");

    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(75));
  }

  @Test
  void aTargetThatIsGoneResetsTheClient() throws IOException {
    echo.refuse();

    Socket client = connect();

    assertThatThrownBy(() -> read(client, 1)).isInstanceOf(IOException.class);
  }

  @Test
  void closingEndsConnectionsAndListener() throws IOException {
    Socket client = connect();
    send(client, "open");

    proxy.close();

    assertThatThrownBy(() -> read(client, 1)).isInstanceOf(SocketException.class);
    assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
    await().until(() -> echo.connections() == 0);
  }

  private Socket connect() throws IOException {
    Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    clients.add(client);
    return client;
  }

  private static String send(Socket client, String text) throws IOException {
    write(client, text);
    return read(client, text.length());
  }

  private static void write(Socket client, String text) throws IOException {
    client.getOutputStream().write(text.getBytes(US_ASCII));
  }

  private static String read(Socket client, int length) throws IOException {
    client.setSoTimeout(0);
    return new String(client.getInputStream().readNBytes(length), US_ASCII);
  }

  private static void assertSilent(Socket client) throws IOException {
    client.setSoTimeout((int) SILENCE.toMillis());
    assertThatThrownBy(() -> client.getInputStream().read())
        .isInstanceOf(SocketTimeoutException.class);
  }
}
