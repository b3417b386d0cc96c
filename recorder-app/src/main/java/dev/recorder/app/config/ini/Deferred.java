package dev.recorder.app.config.ini;

/**
 * A record to be built once the whole file is known to have no errors. Until then parts of it may
 * be missing, so building it earlier is a defect.
 */
@FunctionalInterface
public interface Deferred<T> {
  T build();
}
