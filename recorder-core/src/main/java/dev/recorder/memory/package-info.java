/**
 * How much of the heap rows may take, for all recorders of a process together.
 *
 * <p>It knows bytes, not rows: the code that reads, packs or merges rows states what that takes. No
 * thread waits here: a {@link dev.recorder.memory.MemoryBudget} answers at once, on any thread, and
 * a caller that got no room asks again.
 */
@NullMarked
package dev.recorder.memory;

import org.jspecify.annotations.NullMarked;
