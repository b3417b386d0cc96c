/**
 * The sections on recorders, {@code [recorder:NAME]} and {@code [capture:NAME/TABLE]}, and who may
 * change the programs that they name.
 *
 * <p>Here may not live: what concerns several recorders; {@code ConfigReader} has it.
 */
@NullMarked
package dev.recorder.app.config.recorder;

import org.jspecify.annotations.NullMarked;
