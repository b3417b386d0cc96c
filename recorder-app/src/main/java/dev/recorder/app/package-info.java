/**
 * The daemon and its command line, built on recorder-core.
 *
 * <p>The package {@code cli} uses the other packages, and none of them uses {@code cli}. No class
 * is in this package itself.
 */
@NullMarked
package dev.recorder.app;

import org.jspecify.annotations.NullMarked;
