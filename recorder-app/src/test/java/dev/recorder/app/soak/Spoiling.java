package dev.recorder.app.soak;

/** What a run is spoilt with, to see that it is found out. */
enum Spoiling {
  NONE,
  /** Rows go that were not proved to be recorded. */
  UNPROVED_CLEARING
}
