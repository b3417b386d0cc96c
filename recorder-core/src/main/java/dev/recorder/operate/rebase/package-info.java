/**
 * Lets a log continue in a database that is not the one it was written from, such as a restored one
 * ({@link dev.recorder.operate.rebase.Rebase}). All runs on the caller's thread, on a session of
 * its own.
 */
@NullMarked
package dev.recorder.operate.rebase;

import org.jspecify.annotations.NullMarked;
