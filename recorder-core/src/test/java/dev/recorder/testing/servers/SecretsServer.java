package dev.recorder.testing.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Answers each request as AWS Secrets Manager would: with one secret, or one refusal. */
public final class SecretsServer implements AutoCloseable {
  /** A secret in no account. */
  public static final String ARN =
      "arn:aws:secretsmanager:eu-central-1:123456789012:secret:rds!db-1-AbCdEf";

  private final HttpServer server;
  private final List<SecretRequest> requests = new CopyOnWriteArrayList<>();
  private volatile int status;
  private volatile String body;

  /**
   * A request.
   *
   * @param headers by their names in lower case
   */
  public record SecretRequest(
      String method, String path, Map<String, String> headers, String body) {}

  /** Listens on a port of its own. */
  public SecretsServer() throws IOException {
    answer(404, "");
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  /** The secret from now on. */
  public void holds(String secretString) {
    String escaped = secretString.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    answer(200, "{\"ARN\":\"%s\",\"SecretString\":\"%s\"}".formatted(ARN, escaped));
  }

  /** The refusal from now on. */
  public void refuses(int statusCode, String type, String message) {
    answer(statusCode, "{\"__type\":\"%s\",\"Message\":\"%s\"}".formatted(type, message));
  }

  /** The answer from now on. */
  public void answer(int statusCode, String text) {
    status = statusCode;
    body = text;
  }

  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  public List<SecretRequest> requests() {
    return List.copyOf(requests);
  }

  private void answer(HttpExchange exchange) throws IOException {
    Map<String, String> headers = new TreeMap<>();
    exchange.getRequestHeaders().forEach((name, all) -> headers.put(lower(name), all.get(0)));
    requests.add(
        new SecretRequest(
            exchange.getRequestMethod(),
            exchange.getRequestURI().toString(),
            headers,
            new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
    byte[] bytes = body.getBytes(UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/x-amz-json-1.1");
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
