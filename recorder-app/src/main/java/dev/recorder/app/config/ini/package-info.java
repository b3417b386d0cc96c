/**
 * The grammar of the file, and findings with line numbers. Reads each section by the table of its
 * keys.
 *
 * <p>Not here: keys and sections. A reader belongs to the thread that loads the file. The values
 * are immutable.
 */
@NullMarked
package dev.recorder.app.config.ini;

import org.jspecify.annotations.NullMarked;
