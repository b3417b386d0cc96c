/**
 * The one form in which SQL is written: {@link dev.recorder.postgres.sql.Sql} names a statement's
 * tables, pieces and parameters, {@link dev.recorder.postgres.sql.SqlTemplate} the pieces of what
 * has no parameters. {@link dev.recorder.postgres.sql.SchemaNames} says in which schemas tables
 * stand, {@link dev.recorder.postgres.sql.Quoted} makes names and values of others safe. Knows no
 * session; a statement is its caller's, on the caller's thread.
 */
@NullMarked
package dev.recorder.postgres.sql;

import org.jspecify.annotations.NullMarked;
