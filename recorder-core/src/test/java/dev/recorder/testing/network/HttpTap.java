package dev.recorder.testing.network;

import dev.recorder.testing.servers.S3Server;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * An HTTP/1.1 proxy in front of an S3 server: notes each request when it starts, and does to it
 * what the test's {@link #onRequest} says.
 *
 * <p>Heads and bodies are forwarded byte for byte, whatever their framing, so that signatures and
 * trailing checksums stay right. One thread and one connection to the server per client connection.
 * Thread-safe.
 */
public final class HttpTap implements AutoCloseable {
  private final int target;
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private volatile Gate held = Gate.thatIsShut();
  private final AtomicInteger holding = new AtomicInteger();
  private final Acceptor acceptor;
  private volatile Function<Request, Fault> faults = request -> Fault.none();
  private volatile boolean closed;

  /**
   * A request of which the head has come in.
   *
   * @param nanos {@link System#nanoTime} when it started
   * @param at the same by the wall clock
   * @param target path and query as sent
   * @param headers by lower-case name
   */
  public record Request(
      long nanos, Instant at, String method, String target, Map<String, String> headers) {

    /** The path, decoded: {@code /bucket/key}. */
    public String path() {
      return URI.create(target).getPath();
    }

    public Optional<String> header(String name) {
      return Optional.ofNullable(headers.get(name));
    }

    /** User metadata {@code writer} of a PUT by the recorder. */
    public Optional<String> writer() {
      return header("x-amz-meta-writer");
    }

    /** User metadata {@code epoch} of a PUT by the recorder. */
    public Optional<Long> epoch() {
      return header("x-amz-meta-epoch").map(Long::valueOf);
    }
  }

  private HttpTap(int target) {
    this.target = target;
    this.acceptor = new Acceptor("http-tap", this::serve);
  }

  /** A tap in front of a server, or of another proxy, on this host. */
  public static HttpTap to(int port) {
    return new HttpTap(port);
  }

  public int port() {
    return acceptor.port();
  }

  public URI endpoint() {
    return S3Server.endpoint(port());
  }

  /** Every request so far, in the order of arrival. */
  public List<Request> requests() {
    return List.copyOf(requests);
  }

  /** Forgets the requests so far, which else stay in memory. */
  public void forgetRequests() {
    requests.clear();
  }

  /** Decides what happens to each request from now on; runs on the connection's thread. */
  public void onRequest(Function<Request, Fault> decision) {
    faults = decision;
  }

  /**
   * Does {@code fault} to the next {@code count} requests that {@code which} chooses, nothing to
   * others.
   */
  public void onNext(int count, Predicate<Request> which, Fault fault) {
    AtomicInteger left = new AtomicInteger(count);
    onRequest(request -> which.test(request) && left.getAndDecrement() > 0 ? fault : Fault.none());
  }

  /** Lets every request through from now on; those that are held stay held. */
  public void noFaults() {
    onRequest(request -> Fault.none());
  }

  /** Number of requests that are being held. */
  public int holding() {
    return holding.get();
  }

  /** Forwards what is held, and holds nothing more until it is told to again. */
  public void release() {
    noFaults();
    Gate opened = held;
    held = Gate.thatIsShut();
    opened.open();
  }

  /** From now on connections are refused, and those that are open are reset. */
  public void goAway() {
    acceptor.refuse();
    acceptor.resetAll();
  }

  /** Undoes {@link #goAway}. */
  public void comeBack() {
    acceptor.listen();
  }

  @Override
  public void close() {
    closed = true;
    acceptor.close();
    held.nudge();
  }

  private void serve(Socket client) throws IOException, InterruptedException {
    InputStream requestsIn = new BufferedInputStream(client.getInputStream());
    boolean goOn = true;
    while (goOn) {
      HttpMessage head = HttpMessage.read(requestsIn);
      goOn = head != null && serve(client, requestsIn, head);
    }
  }

  private boolean serve(Socket client, InputStream fromClient, HttpMessage head)
      throws IOException, InterruptedException {
    Request request = note(head);
    try (Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
      server.setTcpNoDelay(true);
      return new Exchange(client, fromClient, server, request, head).run();
    }
  }

  private Request note(HttpMessage head) {
    String[] line = head.startLine().split(" ", 3);
    Request request =
        new Request(System.nanoTime(), Instant.now(), line[0], line[1], head.headers());
    requests.add(request);
    return request;
  }

  private void holdAt(Gate gate) throws InterruptedException {
    holding.incrementAndGet();
    try {
      gate.pass(() -> closed);
    } finally {
      holding.decrementAndGet();
    }
  }

  /** One request and its answer. */
  private final class Exchange {
    private final Socket client;
    private final InputStream fromClient;
    private final OutputStream toClient;
    private final InputStream fromServer;
    private final OutputStream toServer;
    private final Request request;
    private final HttpMessage head;

    Exchange(
        Socket client, InputStream fromClient, Socket server, Request request, HttpMessage head)
        throws IOException {
      this.client = client;
      this.fromClient = fromClient;
      this.toClient = new BufferedOutputStream(client.getOutputStream());
      this.fromServer = new BufferedInputStream(server.getInputStream());
      this.toServer = new BufferedOutputStream(server.getOutputStream());
      this.request = request;
      this.head = head;
    }

    /** Returns whether the client's connection may carry another request. */
    boolean run() throws IOException, InterruptedException {
      // Before it is decided: what is released meanwhile is not held at the next gate.
      Gate gate = held;
      Fault fault = faults.apply(request);
      if (fault instanceof Fault.None) {
        return stream();
      } else if (fault instanceof Fault.Answer answer) {
        return answer(
            new Fault.Document(
                answer.status(),
                "<Error><Code>"
                    + answer.code()
                    + "</Code><Message>said by the tap</Message></Error>"));
      } else if (fault instanceof Fault.Document document) {
        return answer(document);
      }
      byte[] body = wholeBody(head.awaitsContinue() && !(fault instanceof Fault.SwallowExpect));
      if (fault instanceof Fault.Hold) {
        holdAt(gate);
      } else if (fault instanceof Fault.Delay delay) {
        Thread.sleep(delay.delay().toMillis());
      } else if (fault instanceof Fault.Repeat) {
        send(head, body);
        finalAnswer()
            .copyResponseBody(request.method(), fromServer, OutputStream.nullOutputStream());
      }
      HttpMessage forwarded = head;
      if (fault instanceof Fault.Without stripped) {
        for (String header : stripped.headers()) {
          forwarded = forwarded.without(header);
        }
      }
      send(forwarded, body);
      HttpMessage answer = finalAnswer();
      if (fault instanceof Fault.DropAnswer) {
        Acceptor.reset(client);
        return false;
      }
      return relay(answer);
    }

    private boolean stream() throws IOException {
      head.writeHead(toServer);
      toServer.flush();
      if (head.awaitsContinue()) {
        HttpMessage answer = answerHead();
        if (!answer.isInterim()) {
          // Refused before the body was sent: whether it still comes is the client's choice.
          relay(answer);
          return false;
        }
        answer.writeHead(toClient);
        toClient.flush();
      }
      head.copyRequestBody(fromClient, toServer);
      toServer.flush();
      return relay(finalAnswer());
    }

    private boolean answer(Fault.Document answer) throws IOException {
      if (!head.awaitsContinue()) {
        head.copyRequestBody(fromClient, OutputStream.nullOutputStream());
      }
      String body = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + answer.xml();
      String lines =
          "HTTP/1.1 "
              + answer.status()
              + " Fault\r\nContent-Type: application/xml\r\nContent-Length: "
              + body.length()
              + "\r\nConnection: close\r\n\r\n";
      String all = request.method().equals("HEAD") ? lines : lines + body;
      toClient.write(all.getBytes(StandardCharsets.ISO_8859_1));
      toClient.flush();
      return false;
    }

    private byte[] wholeBody(boolean ask) throws IOException {
      if (ask) {
        toClient.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
        toClient.flush();
      }
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      head.copyRequestBody(fromClient, body);
      return body.toByteArray();
    }

    /** The body is there already, so nobody has to be asked for it. */
    private void send(HttpMessage request, byte[] body) throws IOException {
      request.without("expect").writeHead(toServer);
      toServer.write(body);
      toServer.flush();
    }

    private HttpMessage finalAnswer() throws IOException {
      HttpMessage answer;
      do {
        answer = answerHead();
      } while (answer.isInterim());
      return answer;
    }

    private HttpMessage answerHead() throws IOException {
      HttpMessage answer = HttpMessage.read(fromServer);
      if (answer == null) {
        throw new EOFException("the server closed the connection instead of answering");
      }
      return answer;
    }

    private boolean relay(HttpMessage answer) throws IOException {
      answer.writeHead(toClient);
      boolean framed = answer.copyResponseBody(request.method(), fromServer, toClient);
      toClient.flush();
      return framed && !head.endsConnection() && !answer.endsConnection();
    }
  }
}
