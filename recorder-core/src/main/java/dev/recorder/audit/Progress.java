package dev.recorder.audit;

import dev.recorder.audit.objects.UnfinishedException;

/**
 * Told how far a verification is. Called on both threads, if it runs on two. By an {@link
 * UnfinishedException} it ends it.
 */
public interface Progress {
  /** Tells nobody. */
  Progress NONE =
      new Progress() {
        @Override
        public void slots(long done, long slots, long rows) {}

        @Override
        public void pages(long done, long pages, long rows) {}
      };

  /** Of {@code slots} slots {@code done} are read, with {@code rows} lines. */
  void slots(long done, long slots, long rows);

  /** Of {@code pages} pages of the hand-off {@code done} are read, with {@code rows} rows. */
  void pages(long done, long pages, long rows);
}
