/**
 * The form in which SQL is written: {@link dev.recorder.postgres.sql.Sql} names a statement's
 * tables, pieces and parameters, {@link dev.recorder.postgres.sql.SqlTemplate} the pieces of SQL
 * without parameters. {@link dev.recorder.postgres.sql.SchemaNames} has the schemas of tables, and
 * {@link dev.recorder.postgres.sql.Quoted} makes foreign names and values safe. Opens no session.
 * Statements run on the caller's thread.
 */
@NullMarked
package dev.recorder.postgres.sql;

import org.jspecify.annotations.NullMarked;
