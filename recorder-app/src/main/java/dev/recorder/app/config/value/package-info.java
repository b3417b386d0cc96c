/**
 * The types of values in the file: durations, sizes, words, lists, secrets, each with its notation.
 *
 * <p>Not here: sections, keys, files. The values are immutable, and any thread may use them.
 */
@NullMarked
package dev.recorder.app.config.value;

import org.jspecify.annotations.NullMarked;
