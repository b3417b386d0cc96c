package dev.recorder.store;

/** A guarantee that a store must give, and that the store's test tries. */
public enum StoreGuarantee {
  /**
   * If several writers create one object, exactly one wins. The object can then be read, and stays.
   */
  CREATION,
  /**
   * If several writers replace the same version of an object, exactly one wins. Documents need this
   * guarantee, logs do not.
   */
  REPLACEMENT
}
