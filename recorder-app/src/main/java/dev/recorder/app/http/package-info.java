/**
 * The HTTP port of a host: access, routes, answers.
 *
 * <p>Not here: the meaning of figures, which is {@code metrics}'; anything that waits for the
 * database or changes something. Whatever clients can use up is limited ({@link
 * dev.recorder.app.http.HttpPort}).
 *
 * <p>Threads: {@code http-N} answer; the JDK's {@code HTTP-Dispatcher} accepts.
 */
@NullMarked
package dev.recorder.app.http;

import org.jspecify.annotations.NullMarked;
