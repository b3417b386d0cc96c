/**
 * What rows may take of the heap, all recorders of a process together.
 *
 * <p>Knows bytes, no rows: whoever reads, packs or merges them says what that takes. Here may not
 * live a thread or a wait: a {@link dev.recorder.memory.MemoryBudget} answers at once, to any
 * thread, and whoever got no room asks again.
 */
@NullMarked
package dev.recorder.memory;

import org.jspecify.annotations.NullMarked;
