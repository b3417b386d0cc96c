package dev.recorder.operate.site;

/**
 * Slots of one log that follow one another.
 *
 * @param after the slot before the first of them
 * @param upTo the last of them
 */
public record SlotRange(int lockId, long after, long upTo) {}
