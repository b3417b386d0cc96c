/**
 * The benchmark of locks, which {@code scripts/bench-locks} runs: ours beside the bare calls that
 * they are made of, and beside other libraries.
 */
@NullMarked
package dev.recorder.app.bench.locks;

import org.jspecify.annotations.NullMarked;
