package dev.recorder.capture.postgres.catalog;

import org.jspecify.annotations.Nullable;

/**
 * What is not as it should be about a capture.
 *
 * @param losesChanges whether there are changes that are not captured because of it
 * @param text one sentence without its end, with what to do about it
 * @param unarmed oid of the partition that has no trigger, if it is that, and one can be armed
 * @param stray oid of the table that has triggers and should have none, if it is that
 * @param settingUp whether it is normal for as long as somebody sets the capture up
 */
public record CaptureFinding(
    String recorder,
    String table,
    boolean losesChanges,
    String text,
    @Nullable Long unarmed,
    @Nullable Long stray,
    boolean settingUp) {
  /** Of a table, whatever its partitions and however long it lasts. */
  public CaptureFinding(String recorder, String table, boolean losesChanges, String text) {
    this(recorder, table, losesChanges, text, null, null, false);
  }

  /** What is so, without what to do about it. */
  public String state() {
    return text.split(": ", 2)[0];
  }
}
