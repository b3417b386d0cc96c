/**
 * Reads a log from its bucket, slot after slot, once or for as long as it grows.
 *
 * <p>{@link dev.recorder.reader.LogReader} is what readers use, {@code recorder cat} among them;
 * what it asks for next is decided by {@link dev.recorder.reader.Lookahead}, without a thread.
 * Needs a bucket and no database: what is under a slot's key never changes, settled or not. Writes
 * nothing. Objects are fetched ahead on threads of its own, {@code read-log-N}; everything else is
 * on the caller's.
 */
@NullMarked
package dev.recorder.reader;

import org.jspecify.annotations.NullMarked;
