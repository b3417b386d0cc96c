/**
 * Users' SQL as text: its pieces, as far as they can be recognised without a server, and whether it
 * may be embedded in one of our statements. Its meaning is left to the server.
 *
 * <p>Pure and thread-safe; knows no database.
 */
@NullMarked
package dev.recorder.sqltext;

import org.jspecify.annotations.NullMarked;
