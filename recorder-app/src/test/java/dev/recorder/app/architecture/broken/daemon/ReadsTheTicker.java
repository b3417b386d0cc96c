package dev.recorder.app.architecture.broken.daemon;

import dev.recorder.testing.network.Breaks;

@Breaks("CLOCKS_SLEEPS_AND_THREADS_COME_FROM_THE_LIBRARY")
final class ReadsTheTicker {
  long read() {
    return System.nanoTime();
  }
}
