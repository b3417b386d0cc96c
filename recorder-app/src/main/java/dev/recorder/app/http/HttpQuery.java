package dev.recorder.app.http;

import org.jspecify.annotations.Nullable;

/**
 * The parts of a request that determine its answer.
 *
 * @param path the path as sent, without the query
 * @param host the header {@code Host}; null without it
 * @param authorization the header {@code Authorization}; null without it
 */
record HttpQuery(
    String method, String path, @Nullable String host, @Nullable String authorization) {

  boolean isReading() {
    return method.equals("GET") || method.equals("HEAD");
  }
}
