/**
 * The database to which a recorder belongs. The recorder's row names the database, and each host
 * compares it with the database of its own file. Queries run on the caller's connection and thread.
 *
 * <p>Other packages decide what to do if the databases differ.
 */
@NullMarked
package dev.recorder.postgres.pin;

import org.jspecify.annotations.NullMarked;
