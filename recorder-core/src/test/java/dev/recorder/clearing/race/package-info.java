/**
 * Clearing raced against producers on a real server: thousands of leaves are filled, proved and
 * emptied while rows come late, transactions stay open, sessions end and terms change. What was
 * committed is compared with what is left; what was really met is counted.
 */
@NullMarked
package dev.recorder.clearing.race;

import org.jspecify.annotations.NullMarked;
