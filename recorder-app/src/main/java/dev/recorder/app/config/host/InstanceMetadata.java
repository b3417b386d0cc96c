package dev.recorder.app.config.host;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Asks version 2 of the EC2 instance metadata service for the instance id. Waits only briefly,
 * since a host that merely looks like EC2 gets no answer.
 */
public final class InstanceMetadata {
  public static final URI ADDRESS = URI.create("http://169.254.169.254");

  /** The limit of AWS's own libraries, since a busy host that is booting answers slowly. */
  public static final Duration PATIENCE = Duration.ofSeconds(1);

  private static final int MAX_ANSWER_BYTES = 1024;

  private final URI address;
  private final int timeoutMillis;

  /**
   * Creates a client of the service.
   *
   * @param patience the longest wait for a connection, and for each answer
   */
  public InstanceMetadata(URI address, Duration patience) {
    this.address = address;
    this.timeoutMillis = Math.toIntExact(patience.toMillis());
  }

  public Optional<String> instanceId() {
    try {
      String token =
          ask("PUT", "/latest/api/token", Map.of("X-aws-ec2-metadata-token-ttl-seconds", "60"));
      return Optional.of(
          ask("GET", "/latest/meta-data/instance-id", Map.of("X-aws-ec2-metadata-token", token)));
    } catch (IOException silent) {
      return Optional.empty();
    }
  }

  private String ask(String method, String path, Map<String, String> headers) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) address.resolve(path).toURL().openConnection(Proxy.NO_PROXY);
    connection.setConnectTimeout(timeoutMillis);
    connection.setReadTimeout(timeoutMillis);
    connection.setRequestMethod(method);
    headers.forEach(connection::setRequestProperty);
    try (InputStream answer = connection.getInputStream()) {
      return new String(answer.readNBytes(MAX_ANSWER_BYTES), StandardCharsets.US_ASCII).strip();
    } finally {
      connection.disconnect();
    }
  }
}
