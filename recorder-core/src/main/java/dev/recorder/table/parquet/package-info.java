/**
 * Reads and writes Parquet with {@code parquet-hadoop} but without Hadoop: only parts of the
 * library that refer to no class of Hadoop are used. Files are in memory. The package is loaded
 * only if a table is configured.
 */
@NullMarked
package dev.recorder.table.parquet;

import org.jspecify.annotations.NullMarked;
