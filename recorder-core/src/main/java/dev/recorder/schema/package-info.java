/**
 * The tables and rights that the wings use: what a host finds or creates at its start, the SQL that
 * an administrator must run, and a recorder's row.
 *
 * <p>{@link dev.recorder.schema.Setup} is the entry point. It is public for the library's own
 * packages, and runs on the caller's thread. The wings read and write their rows themselves, except
 * rows that several wings share, such as lost races.
 */
@NullMarked
package dev.recorder.schema;

import org.jspecify.annotations.NullMarked;
