/**
 * What a value of the file can be: durations, sizes, words, lists, secrets, each with how it is
 * written.
 *
 * <p>Here may not live: sections, keys, files. Immutable; any thread may use them.
 */
@NullMarked
package dev.recorder.app.config.value;

import org.jspecify.annotations.NullMarked;
