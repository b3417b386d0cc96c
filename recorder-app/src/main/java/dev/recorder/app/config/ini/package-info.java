/**
 * The grammar of the file, findings with line numbers, and the reading of a section by the table of
 * its keys.
 *
 * <p>Not here: keys and sections. Readers belong to the thread that loads the file; the values read
 * are immutable.
 */
@NullMarked
package dev.recorder.app.config.ini;

import org.jspecify.annotations.NullMarked;
