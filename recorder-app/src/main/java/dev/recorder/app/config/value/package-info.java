/**
 * The types of values in the file: durations, sizes, words, lists, secrets, each with its notation.
 *
 * <p>Not here: sections, keys, files. Immutable; any thread may use them.
 */
@NullMarked
package dev.recorder.app.config.value;

import org.jspecify.annotations.NullMarked;
