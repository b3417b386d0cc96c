/**
 * Users' SQL as text: its pieces, as far as they can be recognised without a server, and whether
 * the text may be embedded in one of our statements. The server checks its meaning.
 *
 * <p>Pure and thread-safe; uses no database.
 */
@NullMarked
package dev.recorder.sqltext;

import org.jspecify.annotations.NullMarked;
