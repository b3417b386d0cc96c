/**
 * The facts of a database: hosts, recorders and their statements ({@link
 * dev.recorder.operate.site.Facts}), takeovers, and outstanding work. {@code diagnosis} judges
 * them, not this package.
 *
 * <p>Each query's SQL is beside its method, since a query uses tables of several wings on one
 * session, and belongs to none of them. All runs on the thread and session of an {@code
 * Inspection}.
 */
@NullMarked
package dev.recorder.operate.site;

import org.jspecify.annotations.NullMarked;
