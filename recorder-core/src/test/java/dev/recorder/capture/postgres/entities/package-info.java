/** Captures that ask for documents: whose, and by what expression. */
@NullMarked
package dev.recorder.capture.postgres.entities;

import org.jspecify.annotations.NullMarked;
