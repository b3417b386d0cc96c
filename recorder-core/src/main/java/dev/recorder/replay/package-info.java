/**
 * Rebuilds tables from a log of captured changes: reads its slots, keeps the changes of a window
 * together until the window ends, and then applies them in their original order.
 *
 * <p>{@link dev.recorder.replay.Replay} runs on its caller's thread; {@link
 * dev.recorder.replay.WindowEnds} decides where windows end; {@link
 * dev.recorder.replay.ReplayTarget} is the port to the target. This package contains no JDBC, S3
 * client, threads or clocks.
 */
@NullMarked
package dev.recorder.replay;

import org.jspecify.annotations.NullMarked;
