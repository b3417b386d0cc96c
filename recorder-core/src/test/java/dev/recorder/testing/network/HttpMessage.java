package dev.recorder.testing.network;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The head of one HTTP/1.1 message, byte for byte as ISO-8859-1, and what it says about the body
 * behind it.
 *
 * @param startLine request line or status line
 * @param headers by lower-case name; of a repeated header the last
 */
record HttpMessage(String head, String startLine, Map<String, String> headers) {
  private static final int LONGEST_LINE = 64 * 1024;
  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] (\\d{3}).*");

  /** Reads the next head; null if the stream ends before it begins. */
  static HttpMessage read(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    Map<String, String> headers = new TreeMap<>();
    if (!copyLine(in, head)) {
      return null;
    }
    String startLine = line(head, 0);
    while (true) {
      int start = head.size();
      if (!copyLine(in, head)) {
        throw new EOFException("the stream ended within a head");
      }
      String line = line(head, start);
      if (line.isEmpty()) {
        return new HttpMessage(text(head, 0), startLine, headers);
      }
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).trim().toLowerCase(Locale.ROOT),
          line.substring(colon + 1).trim());
    }
  }

  int status() {
    Matcher matcher = STATUS.matcher(startLine);
    if (!matcher.matches()) {
      throw new IllegalStateException("not a status line: " + startLine);
    }
    return Integer.parseInt(matcher.group(1));
  }

  boolean isInterim() {
    return status() < 200;
  }

  boolean awaitsContinue() {
    return "100-continue".equalsIgnoreCase(headers.get("expect"));
  }

  boolean endsConnection() {
    return "close".equalsIgnoreCase(headers.get("connection"));
  }

  void writeHead(OutputStream out) throws IOException {
    out.write(head.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** The same message without one of its headers, given in lower case. */
  HttpMessage without(String name) {
    Map<String, String> rest = new TreeMap<>(headers);
    rest.remove(name);
    return new HttpMessage(
        head.replaceAll("(?im)^" + Pattern.quote(name) + ":.*\r\n", ""), startLine, rest);
  }

  void copyRequestBody(InputStream in, OutputStream out) throws IOException {
    copyFramedBody(in, out);
  }

  /**
   * Copies a response's body.
   *
   * @return false if only the end of the connection ended it
   */
  boolean copyResponseBody(String method, InputStream in, OutputStream out) throws IOException {
    boolean hasNone = method.equals("HEAD") || status() == 204 || status() == 304;
    if (hasNone || copyFramedBody(in, out)) {
      return true;
    }
    in.transferTo(out);
    return false;
  }

  private boolean copyFramedBody(InputStream in, OutputStream out) throws IOException {
    if ("chunked".equalsIgnoreCase(headers.get("transfer-encoding"))) {
      copyChunks(in, out);
      return true;
    }
    String length = headers.get("content-length");
    if (length != null) {
      copy(in, out, Long.parseLong(length));
    }
    return length != null;
  }

  private static void copyChunks(InputStream in, OutputStream out) throws IOException {
    while (true) {
      String size = copyWholeLine(in, out);
      long bytes = Long.parseLong(size.split(";", 2)[0].trim(), 16);
      if (bytes == 0) {
        break;
      }
      copy(in, out, bytes);
      copyWholeLine(in, out);
    }
    String trailer;
    do {
      trailer = copyWholeLine(in, out);
    } while (!trailer.isEmpty());
    out.flush();
  }

  private static void copy(InputStream in, OutputStream out, long bytes) throws IOException {
    byte[] buffer = new byte[1 << 16];
    long left = bytes;
    while (left > 0) {
      int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (read < 0) {
        throw new EOFException("the stream ended within a body");
      }
      out.write(buffer, 0, read);
      left -= read;
    }
    out.flush();
  }

  private static String copyWholeLine(InputStream in, OutputStream out) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    if (!copyLine(in, line)) {
      throw new EOFException("the stream ended within a chunked body");
    }
    line.writeTo(out);
    return line(line, 0);
  }

  /** Copies up to and with the next line feed; false if the stream ends before the line begins. */
  private static boolean copyLine(InputStream in, ByteArrayOutputStream out) throws IOException {
    int start = out.size();
    int next;
    do {
      next = in.read();
      if (next < 0 && out.size() == start) {
        return false;
      }
      if (next < 0 || out.size() - start > LONGEST_LINE) {
        throw new EOFException("the stream ended within a line, or the line does not end");
      }
      out.write(next);
    } while (next != '\n');
    return true;
  }

  private static String line(ByteArrayOutputStream bytes, int from) {
    return text(bytes, from).replaceAll("\r?\n$", "");
  }

  private static String text(ByteArrayOutputStream bytes, int from) {
    return bytes.toString(StandardCharsets.ISO_8859_1).substring(from);
  }
}
