package dev.recorder.app.config.ini;

/**
 * A record that can be built once it is certain that nothing was wrong anywhere in the file. Until
 * then its parts may be missing, so building it earlier is a fault of the program.
 */
@FunctionalInterface
public interface Buildable<T> {
  T build();
}
