package dev.recorder.app.http;

import java.nio.charset.StandardCharsets;

/**
 * The answer to a request.
 *
 * @param type of the body
 */
@SuppressWarnings("ArrayRecordComponent") // the body is a payload
public record Answer(int status, String type, byte[] body) {
  private static final String TEXT = "text/plain; charset=utf-8";

  /** The format of Prometheus. */
  private static final String FIGURES = "text/plain; version=0.0.4; charset=utf-8";

  static final Answer NOT_FOUND = text(404, "not found");
  static final Answer WRONG_METHOD = text(405, "GET or HEAD");

  /** A status, and a word on it. */
  public static Answer text(int status, String word) {
    return new Answer(status, TEXT, (word + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Metrics in Prometheus' text format. */
  public static Answer figures(String text) {
    return new Answer(200, FIGURES, text.getBytes(StandardCharsets.UTF_8));
  }
}
