package dev.recorder.simulation;

/** A run that broke a promise, with what one needs to look into it. */
final class SimulationFailure extends AssertionError {
  private static final long serialVersionUID = 1L;
  private final String broken;

  SimulationFailure(String broken, String report, Throwable cause) {
    super(broken + "\n" + report, cause);
    this.broken = broken;
  }

  /** Which promise, in one sentence. */
  String broken() {
    return broken;
  }
}
