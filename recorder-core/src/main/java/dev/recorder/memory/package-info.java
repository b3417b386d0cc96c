/**
 * Limits the part of the heap that rows may take, for all recorders of a process together.
 *
 * <p>The package counts bytes, not rows: the code that reads, packs or merges rows states how many
 * bytes it needs. No thread waits here. A {@link dev.recorder.memory.MemoryBudget} answers at once,
 * on any thread, and a caller that got no room asks again.
 */
@NullMarked
package dev.recorder.memory;

import org.jspecify.annotations.NullMarked;
