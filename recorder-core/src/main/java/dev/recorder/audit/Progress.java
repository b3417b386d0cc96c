package dev.recorder.audit;

import dev.recorder.audit.objects.UnfinishedException;

/**
 * Receives the progress of a verification. Called on both threads, if the verification uses two. It
 * may throw an {@link UnfinishedException} to end the verification.
 */
public interface Progress {
  /** Ignores all progress. */
  Progress NONE =
      new Progress() {
        @Override
        public void slots(long done, long slots, long rows) {}

        @Override
        public void pages(long done, long pages, long rows) {}
      };

  /** {@code done} of {@code slots} slots are read, with {@code rows} lines. */
  void slots(long done, long slots, long rows);

  /** {@code done} of {@code pages} pages of the hand-off table are read, with {@code rows} rows. */
  void pages(long done, long pages, long rows);
}
