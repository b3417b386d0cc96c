/**
 * Lets a log go on in a database that is not the one it was written from, such as one that was
 * restored ({@link dev.recorder.operate.rebase.Rebase}). Runs on the caller's thread, on a session
 * of its own.
 */
@NullMarked
package dev.recorder.operate.rebase;

import org.jspecify.annotations.NullMarked;
