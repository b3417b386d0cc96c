/**
 * The tables and the rights that the wings rest on: what a machine finds or creates when it starts,
 * what an administrator is told to run, and a recorder's row.
 *
 * <p>{@link dev.recorder.schema.Setup} is the way in. Public for the library's own packages; on the
 * caller's thread. Reading and writing rows is the wings' own, except for what several share, such
 * as lost races.
 */
@NullMarked
package dev.recorder.schema;

import org.jspecify.annotations.NullMarked;
