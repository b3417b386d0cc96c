package dev.recorder.operate.site;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Who holds back the removal of old row versions the furthest.
 *
 * @param what it is, with what to do about it
 * @param since when its transaction began; null if this role may not see that, for lack of
 *     pg_read_all_stats
 */
public record HorizonFacts(String what, @Nullable Instant since) {}
