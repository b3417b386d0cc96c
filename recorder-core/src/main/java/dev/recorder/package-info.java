/**
 * A highly available recorder from PostgreSQL to S3.
 *
 * <p>Decisions ({@code leadership}, {@code slotlog}, {@code handoff}) are pure; adapters ({@code
 * postgres}, {@code s3}) depend on them and never the reverse; {@code machine} joins them and owns
 * the threads; {@code time} is the only package that reads a clock. No class lives here.
 */
@NullMarked
package dev.recorder;

import org.jspecify.annotations.NullMarked;
