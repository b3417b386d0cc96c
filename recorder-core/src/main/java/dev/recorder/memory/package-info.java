/**
 * What rows may take of the heap, all recorders of a process together.
 *
 * <p>Knows bytes, no rows: whoever reads, packs or merges them says what that takes.
 */
@NullMarked
package dev.recorder.memory;

import org.jspecify.annotations.NullMarked;
