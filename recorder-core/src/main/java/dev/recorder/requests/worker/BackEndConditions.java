package dev.recorder.requests.worker;

import org.jspecify.annotations.Nullable;

/**
 * Where back ends state, for operators, whether they process, and what keeps them from it: one
 * sentence of why, without a time in it, or null if that is over. Must not wait; for any thread.
 */
public interface BackEndConditions {

  /** A recorder must not run on this machine, until an operator has put something in order. */
  void refused(String recorder, @Nullable String why);

  /** Whether requests of a recorder are processed on this machine from now on. */
  void ready(String recorder, boolean is);

  /** Requests of a recorder cannot be processed on this machine now; it is checked again. */
  void unable(String recorder, @Nullable String why);
}
