/**
 * How the log of {@code recorder run} is written: as text or as JSON, from which level on, and for
 * one recorder from another level on. The only package that knows Logback.
 *
 * <p>Here may not live: what is logged, and when; where the configuration comes from. For any
 * thread: lines come from all of them, and a changed configuration from the one that reloads.
 */
@NullMarked
package dev.recorder.app.logs;

import org.jspecify.annotations.NullMarked;
