package dev.recorder.operate.site;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The receipt of a change of the active host.
 *
 * @param from the former active host; null if there was none
 * @param silenceMillis how long the predecessor had been silent
 * @param gapMillis from the predecessor's last sign of life to the new epoch; null if unknown
 * @param lastSlot the last settled slot before the change
 * @param detail further information, or null
 */
public record Takeover(
    Instant at,
    int lockId,
    String recorder,
    String reason,
    @Nullable String from,
    String to,
    long fromEpoch,
    long toEpoch,
    long silenceMillis,
    @Nullable Long gapMillis,
    long lastSlot,
    long firstSlot,
    @Nullable String detail) {}
