/**
 * For applications that hand rows over to a log: the row, and the failure of a wait. Needs no
 * running host, no bucket and no configuration file.
 *
 * <p>SQL, sessions and threads are in {@code producer.postgres}. Thread-safe.
 */
@NullMarked
package dev.recorder.producer;

import org.jspecify.annotations.NullMarked;
