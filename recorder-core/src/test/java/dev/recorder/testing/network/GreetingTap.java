package dev.recorder.testing.network;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/**
 * A proxy in front of PostgreSQL that changes what the server says in greeting a client: how a
 * server of another version would introduce itself. Everything else goes through.
 *
 * <p>One session without encryption per connection. Thread-safe.
 */
public final class GreetingTap implements AutoCloseable {
  private final int target;
  private final UnaryOperator<String> change;
  private final Acceptor acceptor;

  private GreetingTap(int target, UnaryOperator<String> change) {
    this.target = target;
    this.change = change;
    this.acceptor = new Acceptor("greeting-tap", this::serve);
  }

  /** In front of a server that says it is of {@code version}, which has as many characters. */
  public static GreetingTap ofVersion(int port, String own, String version) {
    if (own.length() != version.length()) {
      throw new IllegalArgumentException(own + " and " + version + " differ in length");
    }
    return new GreetingTap(port, greeting -> greeting.replace(mark(own), mark(version)));
  }

  private static String mark(String version) {
    return "server_version\0" + version;
  }

  public int port() {
    return acceptor.port();
  }

  @Override
  public void close() {
    acceptor.close();
  }

  private void serve(Socket client) throws IOException {
    try (Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
      server.setTcpNoDelay(true);
      acceptor.threads().execute(() -> forward(client, server));
      InputStream in = server.getInputStream();
      OutputStream out = client.getOutputStream();
      byte[] buffer = new byte[1 << 16];
      boolean greeting = true;
      int read;
      while ((read = in.read(buffer)) >= 0) {
        if (greeting) {
          // The whole greeting is sent at once, after the last word of the authentication.
          String said = new String(buffer, 0, read, StandardCharsets.ISO_8859_1);
          greeting = !said.contains("server_version");
          byte[] changed = change.apply(said).getBytes(StandardCharsets.ISO_8859_1);
          out.write(changed);
        } else {
          out.write(buffer, 0, read);
        }
      }
    }
  }

  private static void forward(Socket client, Socket server) {
    try {
      client.getInputStream().transferTo(server.getOutputStream());
      server.shutdownOutput();
    } catch (IOException ended) {
      // The other direction ends with it.
    }
  }
}
