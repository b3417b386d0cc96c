/**
 * Commands about recorded rows: {@code cat}, {@code verify}, {@code expire}, {@code clear}, {@code
 * replay} and {@code rebase}.
 *
 * <p>What is proved, cleared or replayed is decided in the library. The threads {@code verify-N}
 * and {@code read-hand-off-N} read what {@code verify} proves, all else runs on the main thread.
 */
@NullMarked
package dev.recorder.app.cli.log;

import org.jspecify.annotations.NullMarked;
