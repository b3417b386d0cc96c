package dev.recorder.app.harness;

import dev.recorder.testing.Patience;
import dev.recorder.testing.network.Ports;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** A host and its HTTP port. */
public record HttpSite(Host host, int port) {
  /** What was answered. */
  public record Answer(int status, String body) {}

  /** A host of this cluster that is yet to be started, with a port of its own. */
  public static HttpSite in(Cluster cluster, String name, boolean primary) {
    return of(cluster.host(name, primary, Particulars.PATIENT));
  }

  /** A host that is yet to be started, with a port of its own. */
  public static HttpSite of(Host host) {
    int port = Ports.free();
    host.edit("[timing]", "[http]\nlisten = 127.0.0.1:" + port + "\n\n[timing]");
    return new HttpSite(host, port);
  }

  public int status(String path) throws IOException {
    return get(path).status();
  }

  /** What {@code /metrics} says, as of its host. */
  public Map<String, String> page() throws IOException {
    return Map.of(host.name(), get("/metrics").body());
  }

  /** The value of a series of {@code /metrics}. */
  public double metric(String name) throws IOException {
    Answer page = get("/metrics");
    return page.body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length())))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + name + " in " + page.body()));
  }

  /** By a connection of its own: one kept open ends while a host is frozen. */
  public Answer get(String path) throws IOException {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    connection.setRequestProperty("Connection", "close");
    connection.setReadTimeout((int) Patience.A_MINUTE.toMillis());
    int status = connection.getResponseCode();
    try (InputStream body =
        status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
      return new Answer(status, new String(body.readAllBytes(), StandardCharsets.UTF_8));
    }
  }
}
