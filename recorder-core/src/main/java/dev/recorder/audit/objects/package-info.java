/**
 * The objects of one log, as a proof reads them. They are read one at a time, once there is room
 * ({@link dev.recorder.audit.objects.SlotObjects}), parsed into prints of rows ({@link
 * dev.recorder.audit.objects.RowPrints}), and checked against the rows of {@code slots} that plan
 * them ({@link dev.recorder.audit.objects.Integrity}).
 *
 * <p>{@code audit} judges several objects together. All runs on the caller's thread.
 */
@NullMarked
package dev.recorder.audit.objects;

import org.jspecify.annotations.NullMarked;
