/**
 * The documents against the code and against each other. What only a package itself can see, its
 * keys or its exit codes, is compared by a test there; this package reads the Markdown for it.
 */
@NullMarked
package dev.recorder.app.docs;

import org.jspecify.annotations.NullMarked;
