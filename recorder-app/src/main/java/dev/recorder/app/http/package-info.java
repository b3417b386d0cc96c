/**
 * The HTTP port of a host: who may ask, what is asked for, how it is answered.
 *
 * <p>Here may not live: what a figure means, which is {@code metrics}'; anything that waits for the
 * database or changes something. All that others can use up has a bound ({@link
 * dev.recorder.app.http.HttpPort}).
 *
 * <p>Threads: {@code http-N} answer; the JDK's {@code HTTP-Dispatcher} accepts.
 */
@NullMarked
package dev.recorder.app.http;

import org.jspecify.annotations.NullMarked;
