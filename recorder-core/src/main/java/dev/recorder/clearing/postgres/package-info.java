/**
 * The leaves of hand-off tables over PostgreSQL: how they stand, how the next one comes into use,
 * and how one is emptied. Nothing here decides.
 */
@NullMarked
package dev.recorder.clearing.postgres;

import org.jspecify.annotations.NullMarked;
