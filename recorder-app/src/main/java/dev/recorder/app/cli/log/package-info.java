/**
 * Commands on recorded rows: {@code cat}, {@code verify}, {@code expire}, {@code clear}, {@code
 * replay} and {@code rebase}.
 *
 * <p>The library decides what is proved, cleared or replayed. The threads {@code verify-N} and
 * {@code read-hand-off-N} read for {@code verify}; all else runs on the main thread.
 */
@NullMarked
package dev.recorder.app.cli.log;

import org.jspecify.annotations.NullMarked;
