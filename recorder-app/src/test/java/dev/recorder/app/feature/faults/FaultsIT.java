package dev.recorder.app.feature.faults;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Faults and flips with real processes, under load, each with the same proof at its end. These
 * stories mostly wait, so they run at the same time, in one class, since other stories count
 * milliseconds and must not have them for neighbours.
 *
 * <p>{@code docs/faults.md} lists them.
 */
@Timeout(900)
class FaultsIT {

  @Nested
  @Execution(ExecutionMode.CONCURRENT)
  class OfS3 extends S3Faults {}

  @Nested
  @Execution(ExecutionMode.CONCURRENT)
  class OfTheDatabase extends DatabaseFaults {}

  @Nested
  @Execution(ExecutionMode.CONCURRENT)
  class OfBothHosts extends BothHostsFaults {}

  @Nested
  @Execution(ExecutionMode.CONCURRENT)
  class OfOneHost extends HostFaults {}

  @Nested
  @Execution(ExecutionMode.CONCURRENT)
  class OfTheStoreAtStart extends StoreAtStart {}

  @Nested
  @Execution(ExecutionMode.CONCURRENT)
  class OfAnOperator extends Flips {}

  @Nested
  @Execution(ExecutionMode.CONCURRENT)
  class OfAPrimaryThatComesBack extends Failbacks {}
}
