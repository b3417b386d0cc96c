/**
 * Benchmarks that {@code scripts/bench-*} run; their figures are only as good as the machine is
 * quiet.
 */
@NullMarked
package dev.recorder.app.bench;

import org.jspecify.annotations.NullMarked;
