/**
 * The sections that concern servers: {@code [postgredb]}, {@code [redis]}, {@code [s3]}.
 *
 * <p>Not here: code that connects.
 */
@NullMarked
package dev.recorder.app.config.connection;

import org.jspecify.annotations.NullMarked;
