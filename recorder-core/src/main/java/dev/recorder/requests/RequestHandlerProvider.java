package dev.recorder.requests;

import dev.recorder.handoff.RecorderName;

/**
 * Makes a handler that a configuration names as {@code handler = NAME}; found by {@link
 * java.util.ServiceLoader}.
 */
public interface RequestHandlerProvider {
  /** A letter, then letters, digits and {@code _ . $ -}. */
  String name();

  /** Called once per recorder that names it. */
  RequestHandler create(RecorderName recorder);
}
