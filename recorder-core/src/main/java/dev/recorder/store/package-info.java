/**
 * Ports to object storage: the requests that the product makes to a bucket, and the possible
 * answers.
 *
 * <p>Implemented in {@code s3}; the code that writes objects ({@code slotlog}, {@code requests})
 * knows only these ports. Every call blocks its caller, within the implementation's own time limit.
 */
@NullMarked
package dev.recorder.store;

import org.jspecify.annotations.NullMarked;
