package dev.recorder.app.config.value;

/** How the files of a log's table are partitioned. */
public enum TablePartitionWord {
  DAY,
  NONE
}
