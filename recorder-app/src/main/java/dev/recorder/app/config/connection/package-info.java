/**
 * The sections on what a recorder connects with: {@code [postgredb]}, {@code [redis]}, {@code
 * [s3]}.
 *
 * <p>Here may not live: what connects.
 */
@NullMarked
package dev.recorder.app.config.connection;

import org.jspecify.annotations.NullMarked;
