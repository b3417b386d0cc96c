/** Owners of tables, types and names who mean no good. */
@NullMarked
package dev.recorder.capture.postgres.hostile;

import org.jspecify.annotations.NullMarked;
