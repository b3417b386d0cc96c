package dev.recorder.testing.network;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;

/**
 * Stands between a client and a server, and cuts or slows the connection the way a network does.
 *
 * <p>What is cut stays silent: a paused connection forwards nothing, not even that the other side
 * has closed it, and goes on where it was when it is resumed.
 *
 * <p>Two threads per connection, at most {@link Acceptor#MOST_CONNECTIONS} connections.
 * Thread-safe.
 */
public final class TcpProxy implements AutoCloseable {
  private volatile Router router;
  private final Set<Link> links = ConcurrentHashMap.newKeySet();
  private final Way toTarget = new Way();
  private final Way toClient = new Way();
  private final Gate admission = new Gate();
  private final Acceptor acceptor;
  private volatile Duration delay = Duration.ZERO;
  private volatile boolean closed;

  /** Decides by what a client says first where its connection leads. */
  interface Router {
    /** Called once per connection, on its thread; may read from and write to the client. */
    Route route(Socket client) throws IOException;
  }

  /**
   * Where a connection leads.
   *
   * @param port on this host
   * @param said what was read from the client and is to be passed on
   */
  record Route(int port, InputStream said) {}

  TcpProxy(Router router) {
    this.router = router;
    this.acceptor = new Acceptor("tcp-proxy", this::serve);
  }

  /** A proxy for a server on this host. */
  public static TcpProxy to(int port) {
    return new TcpProxy(always(port));
  }

  private static Router always(int port) {
    Route route = new Route(port, InputStream.nullInputStream());
    return client -> route;
  }

  /** Leads new connections to another server, as a changed name would; open ones stay. */
  public void redirect(int toPort) {
    router = always(toPort);
  }

  public int port() {
    return acceptor.port();
  }

  /** Keeps connections open and forwards nothing. */
  public void pause() {
    pauseToTarget();
    pauseToClient();
  }

  /** Stops what clients send; what the server sends still arrives. */
  public void pauseToTarget() {
    toTarget.gate.shut();
  }

  /** Stops what the server sends; what clients send still arrives. */
  public void pauseToClient() {
    toClient.gate.shut();
  }

  /** Forwards again, beginning with what was held back. */
  public void resume() {
    toTarget.gate.open();
    toClient.gate.open();
  }

  /** Resets every connection, on both sides. */
  public void reset() {
    links.forEach(Link::reset);
    acceptor.resetAll();
    admission.nudge();
  }

  /** New connections are refused, as if nothing ran there. */
  public void refuseNew() {
    acceptor.refuse();
  }

  /** New connections are opened by the kernel and never answered. */
  public void blackholeNew() {
    admission.shut();
    acceptor.listen();
  }

  /** New connections are served again, those in the black hole too. */
  public void acceptNew() {
    admission.open();
    acceptor.listen();
  }

  /** A silent cut: {@link #pause} and {@link #blackholeNew}. */
  public void cut() {
    blackholeNew();
    pause();
  }

  /** Undoes every fault. */
  public void heal() {
    delay(Duration.ZERO);
    acceptNew();
    resume();
  }

  /** Time that each burst of bytes takes to the other side, each way. */
  public void delay(Duration oneWay) {
    delay = oneWay;
  }

  public long bytesToTarget() {
    return toTarget.bytes.sum();
  }

  public long bytesToClient() {
    return toClient.bytes.sum();
  }

  /** Number of open connections. */
  public int connections() {
    return acceptor.connections();
  }

  @Override
  public void close() {
    closed = true;
    links.forEach(Link::reset);
    acceptor.close();
    admission.nudge();
  }

  private void serve(Socket client) throws IOException, InterruptedException {
    admission.pass(() -> closed || client.isClosed());
    if (closed || client.isClosed()) {
      return;
    }
    Route route = router.route(client);
    toTarget.gate.pass(() -> closed || client.isClosed());
    try (Socket server = new Socket()) {
      server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), route.port()));
      server.setTcpNoDelay(true);
      toTarget.bytes.add(route.said().transferTo(server.getOutputStream()));
      Link link = new Link(client, server);
      links.add(link);
      try {
        acceptor.threads().execute(() -> link.pump(server, client, toClient));
        link.pump(client, server, toTarget);
        link.ended.await();
      } finally {
        link.reset();
        links.remove(link);
      }
    }
  }

  /** One direction of all connections. */
  private static final class Way {
    final Gate gate = new Gate();
    final LongAdder bytes = new LongAdder();
  }

  /** One connection and its continuation behind the proxy. */
  private final class Link {
    private final Socket client;
    private final Socket server;
    private final CountDownLatch ended = new CountDownLatch(2);
    private volatile boolean dead;

    Link(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void reset() {
      boolean whole = ended.getCount() > 0;
      dead = true;
      if (whole) {
        Acceptor.reset(client);
        Acceptor.reset(server);
      }
      toTarget.gate.nudge();
      toClient.gate.nudge();
    }

    void pump(Socket from, Socket to, Way way) {
      try {
        forward(from, to, way);
      } catch (IOException broken) {
        passOnTheReset(way);
      } catch (InterruptedException closing) {
        Thread.currentThread().interrupt();
        reset();
      } finally {
        ended.countDown();
      }
    }

    private void forward(Socket from, Socket to, Way way) throws IOException, InterruptedException {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] buffer = new byte[1 << 16];
      int read = 0;
      do {
        // Whether more is waiting says nothing: this thread may only have come late.
        boolean inTheMiddle = read == buffer.length;
        read = in.read(buffer);
        if (!inTheMiddle && !delay.isZero()) {
          Thread.sleep(delay.toMillis());
        }
        way.gate.pass(() -> dead);
        if (read > 0) {
          way.bytes.add(read);
          out.write(buffer, 0, read);
        }
      } while (read >= 0);
      to.shutdownOutput();
    }

    /** A reset is a packet like any other: it does not pass a cut. */
    private void passOnTheReset(Way way) {
      try {
        way.gate.pass(() -> dead);
      } catch (InterruptedException closing) {
        Thread.currentThread().interrupt();
      }
      reset();
    }
  }
}
