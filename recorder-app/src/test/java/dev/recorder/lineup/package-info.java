/** The line-up of servers: what is most likely to differ, run on all that are available. */
@NullMarked
package dev.recorder.lineup;

import org.jspecify.annotations.NullMarked;
