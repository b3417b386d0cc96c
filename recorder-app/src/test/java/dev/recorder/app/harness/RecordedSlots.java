package dev.recorder.app.harness;

import java.util.List;

/** What is recorded of one log. */
public interface RecordedSlots {
  /** The number of every slot that is there, in order. */
  List<Long> numbers();

  /** One slot; it must be there. */
  Bucket.Slot slot(long number);
}
