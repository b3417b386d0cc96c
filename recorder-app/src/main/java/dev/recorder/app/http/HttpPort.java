package dev.recorder.app.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.recorder.app.config.host.HttpConfig;
import dev.recorder.app.logs.AppEvent;
import dev.recorder.logging.LogEvent;
import dev.recorder.metrics.MachineMetrics;
import dev.recorder.time.NamedThreadFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP port of this process. It has its own threads, so that slow or many requests do not delay
 * recorders. Requests that find no free thread are not answered.
 *
 * <p>There are at most {@value #CONNECTIONS} connections. Each has its own thread while a request
 * is read or its answer is sent, so that a slow client does not delay others. A connection ends if
 * a request takes longer than {@value #REQUEST_SECONDS} s, if sending its answer takes longer than
 * {@value #ANSWER_SECONDS} s, or after {@value #IDLE_SECONDS} s without a request.
 */
public final class HttpPort implements AutoCloseable {
  static final int CONNECTIONS = 256;
  static final int REQUEST_SECONDS = 3;
  static final int ANSWER_SECONDS = 20;
  static final int IDLE_SECONDS = 30;
  private static final int IDLE_CONNECTIONS = 16;
  private static final int HEADERS = 64;
  private static final int HEADER_BYTES = 16 * 1024;

  /**
   * Lets a browser load only files from this port, and refuses to be shown in a frame. Scripts
   * cannot insert text as HTML.
   */
  private static final String POLICY =
      String.join(
          "; ",
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self'",
          "img-src 'self'",
          "connect-src 'self'",
          "base-uri 'none'",
          "form-action 'none'",
          "frame-ancestors 'none'",
          "require-trusted-types-for 'script'",
          "trusted-types 'none'");

  private static final Logger log = LoggerFactory.getLogger(HttpPort.class);

  private final HttpServer server;
  private final ThreadPoolExecutor threads;

  private HttpPort(HttpServer server, ThreadPoolExecutor threads) {
    this.server = server;
    this.threads = threads;
  }

  /**
   * Opens the port.
   *
   * @param behind the routes that need authorization, by path
   * @throws IOException if the address is not one of this host's, or the port is taken
   */
  public static HttpPort open(
      HttpConfig config, MachineMetrics metrics, Map<String, Supplier<HttpAnswer>> behind)
      throws IOException {
    bound();
    InetAddress address = InetAddress.getByName(config.host());
    HttpServer server =
        HttpServer.create(new InetSocketAddress(address, config.port()), CONNECTIONS);
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            0,
            CONNECTIONS,
            30,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            new NamedThreadFactory("http"));
    HttpRoutes routes =
        new HttpRoutes(new HealthChecks(metrics), new AccessCheck(config.token()), behind);
    server.createContext("/", exchange -> answer(exchange, routes));
    server.setExecutor(threads);
    server.start();
    log.info(
        AppEvent.HTTP_PORT_OPEN,
        "answering at http://{}/, healthz, readyz, recorders/NAME, metrics",
        config.listen());
    return new HttpPort(server, threads);
  }

  /** Sets the limits of the JDK's server, which reads them from system properties, once. */
  static void bound() {
    set("jdk.httpserver.maxConnections", CONNECTIONS);
    set("sun.net.httpserver.maxReqTime", REQUEST_SECONDS);
    set("sun.net.httpserver.maxRspTime", ANSWER_SECONDS);
    set("sun.net.httpserver.idleInterval", IDLE_SECONDS);
    set("sun.net.httpserver.maxIdleConnections", IDLE_CONNECTIONS);
    set("sun.net.httpserver.maxReqHeaders", HEADERS);
    set("sun.net.httpserver.maxReqHeaderSize", HEADER_BYTES);
    set("sun.net.httpserver.drainAmount", 0);
  }

  private static void set(String property, int value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, Integer.toString(value));
    }
  }

  /** Returns the number of the open port. */
  int port() {
    return server.getAddress().getPort();
  }

  private static void answer(HttpExchange exchange, HttpRoutes routes) throws IOException {
    try (exchange) {
      send(exchange, routes.answer(question(exchange)));
    } catch (UncheckedIOException | IOException gone) {
      throw new IOException("whoever asked is gone", gone);
    } catch (RuntimeException bug) {
      log.error(LogEvent.BUG, "bug: a request to the HTTP port could not be answered", bug);
    }
  }

  private static HttpQuery question(HttpExchange exchange) {
    Headers headers = exchange.getRequestHeaders();
    return new HttpQuery(
        exchange.getRequestMethod(),
        exchange.getRequestURI().getRawPath(),
        headers.getFirst("Host"),
        headers.getFirst("Authorization"));
  }

  private static void send(HttpExchange exchange, HttpAnswer answer) throws IOException {
    Headers headers = exchange.getResponseHeaders();
    headers.set("Content-Type", answer.type());
    headers.set("Cache-Control", "no-store");
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Content-Security-Policy", POLICY);
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set("Referrer-Policy", "no-referrer");
    if (answer.status() == 401) {
      headers.set("WWW-Authenticate", "Basic realm=\"recorder\", charset=\"UTF-8\"");
    }
    boolean bodyless = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(answer.status(), bodyless ? -1 : answer.body().length);
    if (!bodyless) {
      exchange.getResponseBody().write(answer.body());
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
