/**
 * Rebuilds tables from a log of captured changes: reads its slots, keeps the changes of a window
 * together until the log says that the window ends, and then applies them in their original order.
 *
 * <p>{@link dev.recorder.replay.Replay} runs it on its caller's thread; {@link
 * dev.recorder.replay.Windows} decides where windows end. What a target must do stands in {@link
 * dev.recorder.replay.ReplayTarget}. Here may not live: JDBC, an S3 client, a thread, a clock.
 */
@NullMarked
package dev.recorder.replay;

import org.jspecify.annotations.NullMarked;
