/**
 * The HTTP port of a host: access, routes, answers.
 *
 * <p>Not here: the meaning of metrics (package {@code metrics}), and code that waits for the
 * database or changes anything. All resources that clients can use up are limited ({@link
 * dev.recorder.app.http.HttpPort}).
 *
 * <p>Threads: {@code http-N} answer requests; the JDK's {@code HTTP-Dispatcher} accepts
 * connections.
 */
@NullMarked
package dev.recorder.app.http;

import org.jspecify.annotations.NullMarked;
