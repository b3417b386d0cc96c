/**
 * What the demo, the feature tests, the soak and the benchmarks share: real servers, recorders in
 * JVMs of their own that are killed, frozen and cut off, producers with books of what they
 * committed, and the oracles: what must be in the logs by these books, and what must have become of
 * requests, with none of the product's code.
 */
@NullMarked
package dev.recorder.app.harness;

import org.jspecify.annotations.NullMarked;
