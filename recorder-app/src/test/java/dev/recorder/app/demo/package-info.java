/**
 * What {@code scripts/demo} runs: a primary is killed under load, and the bucket is proved
 * afterwards.
 */
@NullMarked
package dev.recorder.app.demo;

import org.jspecify.annotations.NullMarked;
