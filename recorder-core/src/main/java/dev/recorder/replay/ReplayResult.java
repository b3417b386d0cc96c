package dev.recorder.replay;

import java.util.List;

/**
 * What a replay has done.
 *
 * @param fromSlot the first slot that it read
 * @param nextSlot where the next one goes on
 * @param slots how many it has applied
 * @param rows how many rows it has read, those of open windows among them
 * @param changes how many of them are captured changes
 * @param lookAlikes how many others have the members of one, and were passed over
 * @param openSlots how many slots at the log's end are in a window that has not ended yet, and so
 *     are not applied
 * @param stepsBefore slots before which the database had lost commits
 * @param incomplete tables whose rows or values are not what they were
 * @param asText columns that have become text, each behind its table and a dot
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
