/**
 * The sections {@code [recorder:NAME]} and {@code [capture:NAME/TABLE]}, and the check of who may
 * change the programs that they name.
 *
 * <p>Not here: checks that concern several recorders, which are in {@code ConfigReader}.
 */
@NullMarked
package dev.recorder.app.config.recorder;

import org.jspecify.annotations.NullMarked;
