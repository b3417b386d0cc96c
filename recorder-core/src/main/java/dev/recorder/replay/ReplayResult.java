package dev.recorder.replay;

import java.util.List;

/**
 * The result of a replay.
 *
 * @param fromSlot the first slot that it read
 * @param nextSlot where the next replay continues
 * @param slots number of slots that were applied
 * @param rows number of rows read, including those of open windows
 * @param changes number of captured changes among them
 * @param lookAlikes number of other rows that have the members of a change, and were ignored
 * @param openSlots number of slots at the log's end whose window has not ended, and that are not
 *     applied
 * @param stepsBefore slots before which the database had lost commits
 * @param incomplete tables whose rows or values are not exact
 * @param asText columns that have become text, each qualified by its table
 */
public record ReplayResult(
    long fromSlot,
    long nextSlot,
    long slots,
    long rows,
    long changes,
    long lookAlikes,
    long openSlots,
    List<Long> stepsBefore,
    List<String> incomplete,
    List<String> asText) {}
