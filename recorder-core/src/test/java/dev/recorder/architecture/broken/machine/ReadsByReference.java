package dev.recorder.architecture.broken.machine;

import dev.recorder.testing.network.Breaks;
import java.util.function.LongSupplier;

@Breaks("ONLY_THE_TIME_PACKAGE_READS_A_CLOCK_SLEEPS_OR_MAKES_THREADS")
final class ReadsByReference {
  LongSupplier reading() {
    return System::nanoTime;
  }
}
