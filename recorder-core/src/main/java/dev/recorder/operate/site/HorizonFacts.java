package dev.recorder.operate.site;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The oldest holder of old row versions.
 *
 * @param what the holder, with the remedy
 * @param since when the holder's transaction began; null if this role may not see that, for lack of
 *     pg_read_all_stats
 */
public record HorizonFacts(String what, @Nullable Instant since) {}
