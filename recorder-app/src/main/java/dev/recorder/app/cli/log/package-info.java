/**
 * Commands on recorded rows: {@code cat}, {@code at}, {@code verify}, {@code expire}, {@code
 * clear}, {@code replay} and {@code rebase}.
 *
 * <p>The library decides what is proved, cleared or replayed. For {@code verify}, the threads
 * {@code verify-N} read logs and the threads {@code read-hand-off-N} read hand-off tables. All
 * other code runs on the main thread.
 */
@NullMarked
package dev.recorder.app.cli.log;

import org.jspecify.annotations.NullMarked;
