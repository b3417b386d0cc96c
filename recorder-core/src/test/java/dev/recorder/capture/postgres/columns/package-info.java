/** What becomes of the log when columns, keys, values or the choice of them change. */
@NullMarked
package dev.recorder.capture.postgres.columns;

import org.jspecify.annotations.NullMarked;
