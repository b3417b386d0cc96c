/**
 * Parquet, by {@code parquet-hadoop} without Hadoop: only the parts of the library that name none
 * of its classes are used. Files are in memory. Loaded when a table is asked for.
 */
@NullMarked
package dev.recorder.table.parquet;

import org.jspecify.annotations.NullMarked;
