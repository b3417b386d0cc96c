package dev.recorder.operate.site;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The receipt of a change of the active machine.
 *
 * @param from null if there was no machine before
 * @param silenceMillis how long the predecessor had been silent
 * @param gapMillis from the predecessor's last sign of life to the new epoch, or null
 * @param lastSlot the last slot settled before
 * @param detail what else is worth knowing, or null
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
