/**
 * Rebuilds tables from a log of captured changes: reads its slots, keeps the changes of a window
 * together until the log says that the window ends, and then has them take effect in the order in
 * which they did.
 *
 * <p>{@link dev.recorder.replay.Replay} runs it on its caller's thread; where windows end decides
 * {@link dev.recorder.replay.Windows}, without knowing of a database. What a target must do stands
 * in {@link dev.recorder.replay.ReplayTarget}.
 */
@NullMarked
package dev.recorder.replay;

import org.jspecify.annotations.NullMarked;
