/**
 * The grammar of the file, with line numbers and findings, and how a section is read by the table
 * of its keys.
 *
 * <p>Here may not live: any key or section. What reads is for the thread that loads a file; values
 * that were read are immutable.
 */
@NullMarked
package dev.recorder.app.config.ini;

import org.jspecify.annotations.NullMarked;
