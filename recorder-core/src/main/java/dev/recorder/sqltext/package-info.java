/**
 * SQL that users write, as a text: its pieces, as far as they can be told apart without a server,
 * and whether it may stand within a statement of ours. What it means, the server says.
 *
 * <p>Knows nobody, and no database. All of it is pure; for any thread.
 */
@NullMarked
package dev.recorder.sqltext;

import org.jspecify.annotations.NullMarked;
