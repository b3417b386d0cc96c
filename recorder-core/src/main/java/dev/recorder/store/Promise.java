package dev.recorder.store;

/** What a store has to promise, and a test of it tries. */
public enum Promise {
  /** Of those who create an object one wins, and it is read and stays. */
  CREATION,
  /** So it is of those who replace a version of an object: documents need it, logs do not. */
  REPLACEMENT
}
