package dev.recorder.testing.network;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Speaks as a Redis server does, and refuses whatever scripts are to be run, with the words that it
 * is given: for states in which a real one cannot be brought.
 */
public final class RefusingRedis implements AutoCloseable {
  private final Acceptor acceptor;
  private final String words;

  /**
   * A server that refuses.
   *
   * @param words its error reply, such as {@code LOADING Redis is loading the dataset in memory}
   */
  public RefusingRedis(String words) {
    this.words = words;
    this.acceptor = new Acceptor("refusing-redis", this::serve);
  }

  public int port() {
    return acceptor.port();
  }

  private void serve(Socket client) throws IOException {
    InputStream in = new BufferedInputStream(client.getInputStream());
    OutputStream out = client.getOutputStream();
    while (true) {
      String command = command(in);
      boolean refused = command.startsWith("EVAL");
      out.write(((refused ? "-" + words : "+OK") + "\r\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
    }
  }

  /** The first word of an array of words. */
  private static String command(InputStream in) throws IOException {
    int count = Integer.parseInt(line(in).substring(1));
    String first = "";
    for (int word = 0; word < count; word++) {
      int length = Integer.parseInt(line(in).substring(1));
      String text = new String(in.readNBytes(length), StandardCharsets.UTF_8);
      line(in);
      first = word == 0 ? text : first;
    }
    return first;
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException();
      }
      line.append((char) next);
    }
    return line.toString().strip();
  }

  @Override
  public void close() {
    acceptor.close();
  }
}
