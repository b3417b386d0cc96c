package dev.recorder.app.config.ini;

/**
 * Builds a record once the whole file is known to have no errors. Before that, parts of the record
 * may be missing, and building it is a bug.
 */
@FunctionalInterface
public interface Deferred<T> {
  T build();
}
