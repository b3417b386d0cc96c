package dev.recorder.architecture.broken.machine;

import dev.recorder.testing.network.Breaks;

@Breaks("FAILURES_ARE_LOGGED_OR_THROWN_NEVER_PRINTED")
final class PrintsAFailure {
  void print(Exception failure) {
    failure.printStackTrace();
  }
}
