package dev.recorder.app.architecture.broken.daemon;

import dev.recorder.testing.network.Breaks;

@Breaks("FAILURES_ARE_LOGGED_OR_THROWN_NEVER_PRINTED")
final class PrintsAFailure {
  void print(Exception failure) {
    failure.printStackTrace();
  }
}
