package dev.recorder.store;

/** What a store must guarantee, and its test tries. */
public enum StoreGuarantee {
  /** One of several writers that create an object wins; the object can then be read and stays. */
  CREATION,
  /** The same for writers that replace a version of an object: documents need it, logs do not. */
  REPLACEMENT
}
