package dev.recorder.operate.site;

/**
 * Successive slots of one log.
 *
 * @param after the slot before the first slot
 * @param upTo the last slot
 */
public record SlotRange(int lockId, long after, long upTo) {}
