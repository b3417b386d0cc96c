package dev.recorder.app.http;

import org.jspecify.annotations.Nullable;

/**
 * The parts of a request that decide about its answer.
 *
 * @param path as sent, without the query
 * @param host the header of this name; null without it
 * @param authorization the header of this name; null without it
 */
record HttpQuery(
    String method, String path, @Nullable String host, @Nullable String authorization) {

  boolean isReading() {
    return method.equals("GET") || method.equals("HEAD");
  }
}
