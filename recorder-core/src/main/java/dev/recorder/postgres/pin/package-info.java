/**
 * The database that a recorder belongs to: its row names it, and each host compares it with the
 * database that its own file leads to. Queries run on the caller's connection and thread.
 *
 * <p>What happens to a recorder with another database is decided elsewhere.
 */
@NullMarked
package dev.recorder.postgres.pin;

import org.jspecify.annotations.NullMarked;
