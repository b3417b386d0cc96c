/**
 * Stories that operators know, with real processes, a real database and a real S3 server: recorders
 * are killed, frozen and cut off under load, each story with a deadline and the same proof at its
 * end.
 */
@NullMarked
package dev.recorder.app.feature;

import org.jspecify.annotations.NullMarked;
