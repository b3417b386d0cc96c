package dev.recorder.capture.postgres.catalog;

import org.jspecify.annotations.Nullable;

/**
 * Something that is wrong with a capture.
 *
 * @param losesChanges whether changes are not captured because of it
 * @param text one sentence without its full stop, with the remedy
 * @param unarmed oid of the partition, if the finding is that a partition has no triggers and can
 *     be armed; else null
 * @param stray oid of the table, if the finding is that a table has triggers and should have none;
 *     else null
 * @param settingUp whether it is normal while the capture is being set up
 */
public record CaptureFinding(
    String recorder,
    String table,
    boolean losesChanges,
    String text,
    @Nullable Long unarmed,
    @Nullable Long stray,
    boolean settingUp) {
  /**
   * Creates a finding that is about neither a partition, a stray table nor a set-up in progress.
   */
  public CaptureFinding(String recorder, String table, boolean losesChanges, String text) {
    this(recorder, table, losesChanges, text, null, null, false);
  }

  /** Returns the text without the remedy. */
  public String state() {
    return text.split(": ", 2)[0];
  }
}
