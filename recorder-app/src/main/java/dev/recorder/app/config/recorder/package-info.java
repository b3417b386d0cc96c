/**
 * The sections {@code [recorder:NAME]} and {@code [capture:NAME/TABLE]}, and the check of who may
 * change the programs they name.
 *
 * <p>Not here: what concerns several recorders; {@code ConfigReader} has it.
 */
@NullMarked
package dev.recorder.app.config.recorder;

import org.jspecify.annotations.NullMarked;
