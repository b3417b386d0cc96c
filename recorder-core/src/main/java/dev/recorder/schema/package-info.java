/**
 * The tables and rights that the wings rest on: what a machine finds or creates at its start, what
 * an administrator must run, and a recorder's row.
 *
 * <p>{@link dev.recorder.schema.Setup} is the entry point. Public for the library's own packages;
 * runs on the caller's thread. The wings read and write rows themselves, except for what several
 * share, such as lost races.
 */
@NullMarked
package dev.recorder.schema;

import org.jspecify.annotations.NullMarked;
