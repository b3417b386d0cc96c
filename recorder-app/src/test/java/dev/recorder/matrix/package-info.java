/** The matrix of servers: what is most likely to differ, run on all that are available. */
@NullMarked
package dev.recorder.matrix;

import org.jspecify.annotations.NullMarked;
