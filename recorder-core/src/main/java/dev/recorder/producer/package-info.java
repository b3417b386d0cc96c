/**
 * For applications that hand rows over to a log: the row that they hand over, and the failure of a
 * wait. Needs no machine, no bucket and no configuration file.
 *
 * <p>Here may not live: SQL, a session, a thread; {@code producer.postgres} has them. For any
 * thread.
 */
@NullMarked
package dev.recorder.producer;

import org.jspecify.annotations.NullMarked;
