/** What was done, in books and journals, and the oracles that judge by them. */
@NullMarked
package dev.recorder.app.harness.proof;

import org.jspecify.annotations.NullMarked;
