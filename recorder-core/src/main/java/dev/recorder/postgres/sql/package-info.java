/**
 * The one form in which statements are written: {@link dev.recorder.postgres.sql.Sql} names its
 * tables, pieces and parameters, and {@link dev.recorder.postgres.sql.SchemaNames} says in which
 * schemas they stand. Knows no session; a statement is its caller's, on the caller's thread.
 */
@NullMarked
package dev.recorder.postgres.sql;

import org.jspecify.annotations.NullMarked;
