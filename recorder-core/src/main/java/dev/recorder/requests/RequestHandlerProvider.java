package dev.recorder.requests;

import dev.recorder.handoff.RecorderName;

/**
 * Creates the handler that a configuration names with {@code handler = NAME}. Found by {@link
 * java.util.ServiceLoader}.
 */
public interface RequestHandlerProvider {
  /** The name in the configuration: a letter, then letters, digits and {@code _ . $ -}. */
  String name();

  /** Creates a handler; called once for each recorder that names it. */
  RequestHandler create(RecorderName recorder);
}
