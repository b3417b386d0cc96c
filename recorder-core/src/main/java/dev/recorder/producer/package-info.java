/**
 * For applications that hand rows over to a log: what they hand over, and what they are told when
 * they wait for it. Needs no machine, no bucket and no configuration file; {@code
 * producer.postgres} does it.
 */
@NullMarked
package dev.recorder.producer;

import org.jspecify.annotations.NullMarked;
