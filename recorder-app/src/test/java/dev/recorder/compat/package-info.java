/** What is most likely to differ between servers, run on all that are available. */
@NullMarked
package dev.recorder.compat;

import org.jspecify.annotations.NullMarked;
