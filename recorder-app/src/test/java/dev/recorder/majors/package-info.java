/**
 * All major versions of the server: what is most likely to differ, run on all that are available.
 */
@NullMarked
package dev.recorder.majors;

import org.jspecify.annotations.NullMarked;
