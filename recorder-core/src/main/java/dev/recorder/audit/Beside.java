package dev.recorder.audit;

/** Who reads the hand-off while the verifier reads the log. */
@FunctionalInterface
public interface Beside {

  /** Nobody: it is read afterwards, on the verifier's thread. */
  Beside NOBODY =
      reading ->
          new Reading() {
            @Override
            public void check() {}

            @Override
            public void end() {
              reading.run();
            }
          };

  /** Begins {@code reading}. */
  Reading begin(Runnable reading);

  /** What was begun. */
  interface Reading {

    /** Throws what it failed with, if it has failed by now. */
    void check();

    /** Waits for its end, and throws what it failed with. */
    void end();
  }
}
