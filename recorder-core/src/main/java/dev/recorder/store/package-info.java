/**
 * Ports to object storage: what the product needs of a bucket, and which answers there are.
 *
 * <p>Implemented in {@code s3}; logic that writes objects ({@code slotlog}, {@code requests}) knows
 * these ports only. Every call blocks its caller, within the implementation's own time limit.
 */
@NullMarked
package dev.recorder.store;

import org.jspecify.annotations.NullMarked;
