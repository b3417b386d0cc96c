/**
 * What lies in a database: its hosts, its recorders and what they state ({@link
 * dev.recorder.operate.site.Facts}), takeovers, how much there is to do. Here may not live: whether
 * that is as it should be, which {@code diagnosis} says.
 *
 * <p>Its SQL stands beside what it answers: a question goes across several wings' tables on one
 * session, and would belong to none of them. Runs on the thread and session of an {@code
 * Inspection}.
 */
@NullMarked
package dev.recorder.operate.site;

import org.jspecify.annotations.NullMarked;
