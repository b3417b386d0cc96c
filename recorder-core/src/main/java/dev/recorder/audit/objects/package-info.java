/**
 * The objects of one log, as a proof reads them: one at a time, once there is room for it ({@link
 * dev.recorder.audit.objects.SlotObjects}), taken apart into prints of rows ({@link
 * dev.recorder.audit.objects.RowPrints}), and held against the rows of {@code slots} that plan it
 * ({@link dev.recorder.audit.objects.Integrity}).
 *
 * <p>Here may not live: what several objects are together, which is {@code audit}'s. On the
 * caller's thread.
 */
@NullMarked
package dev.recorder.audit.objects;

import org.jspecify.annotations.NullMarked;
