/**
 * Reads a log from its bucket, slot by slot, once or for as long as it grows.
 *
 * <p>{@link dev.recorder.reader.LogReader} is the API, which {@code recorder cat} uses, too. {@link
 * dev.recorder.reader.ReadAhead} decides which slots it requests, without a thread. Needs a bucket
 * and no database: the object under a slot's key never changes, whether it is settled or not.
 * Writes nothing. Objects are fetched on threads of the package, {@code read-log-N}. All other code
 * runs on the caller's thread.
 */
@NullMarked
package dev.recorder.reader;

import org.jspecify.annotations.NullMarked;
