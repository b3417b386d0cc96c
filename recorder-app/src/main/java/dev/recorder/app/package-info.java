/**
 * The daemon and its command line, built on recorder-core.
 *
 * <p>{@code cli} joins the other packages and none of them knows it. No class lives here.
 */
@NullMarked
package dev.recorder.app;

import org.jspecify.annotations.NullMarked;
