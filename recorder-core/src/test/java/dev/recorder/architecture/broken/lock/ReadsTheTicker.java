package dev.recorder.architecture.broken.lock;

import dev.recorder.testing.network.Breaks;

@Breaks("ONLY_THE_TIME_PACKAGE_READS_A_CLOCK_SLEEPS_OR_MAKES_THREADS")
final class ReadsTheTicker {
  long read() {
    return System.nanoTime();
  }
}
