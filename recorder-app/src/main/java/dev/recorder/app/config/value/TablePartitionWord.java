package dev.recorder.app.config.value;

/** How the files of a log's table are divided. */
public enum TablePartitionWord {
  DAY,
  NONE
}
