/**
 * Who is in the way: of a lock, of a table, of the removal of old row versions. Asked on the
 * caller's connection and thread, and told to operators in one sentence.
 */
@NullMarked
package dev.recorder.postgres.holders;

import org.jspecify.annotations.NullMarked;
