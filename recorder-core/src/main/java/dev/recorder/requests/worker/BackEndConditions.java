package dev.recorder.requests.worker;

import org.jspecify.annotations.Nullable;

/**
 * Receives, for operators, whether back ends process requests, and what prevents it: one sentence
 * without a time in it, or null if that is over. Must not wait; for any thread.
 */
public interface BackEndConditions {

  /** A recorder must not run on this host until an operator acts. */
  void refused(String recorder, @Nullable String why);

  /** Whether requests of a recorder are processed on this host from now on. */
  void ready(String recorder, boolean is);

  /** Requests of a recorder cannot be processed on this host now; it is checked again. */
  void unable(String recorder, @Nullable String why);
}
