package dev.recorder.app.http;

import java.nio.charset.StandardCharsets;

/**
 * The answer to a request.
 *
 * @param type the media type of the body
 */
@SuppressWarnings("ArrayRecordComponent") // The body is a payload.
public record HttpAnswer(int status, String type, byte[] body) {
  private static final String TEXT = "text/plain; charset=utf-8";

  /** The media type of Prometheus' text format. */
  private static final String FIGURES = "text/plain; version=0.0.4; charset=utf-8";

  static final HttpAnswer NOT_FOUND = text(404, "not found");
  static final HttpAnswer WRONG_METHOD = text(405, "GET or HEAD");

  /** Returns an answer with a status and a word. */
  public static HttpAnswer text(int status, String word) {
    return new HttpAnswer(status, TEXT, (word + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Returns an answer with metrics in Prometheus' text format. */
  public static HttpAnswer figures(String text) {
    return new HttpAnswer(200, FIGURES, text.getBytes(StandardCharsets.UTF_8));
  }
}
