/**
 * From a checked configuration to a running machine, and from signals of the operating system to
 * its clean end.
 */
@NullMarked
package dev.recorder.app.daemon;

import org.jspecify.annotations.NullMarked;
