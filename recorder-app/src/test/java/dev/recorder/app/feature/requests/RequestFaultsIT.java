package dev.recorder.app.feature.requests;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Faults of hosts that process requests, with real processes. These stories mostly wait, so they
 * run at the same time.
 *
 * <p>{@code docs/faults.md} lists them.
 */
@Timeout(900)
class RequestFaultsIT {

  @Nested
  @Execution(ExecutionMode.CONCURRENT)
  class OfDocuments extends DocumentFaults {}

  @Nested
  @Execution(ExecutionMode.CONCURRENT)
  class OfHandlers extends HandlerFaults {}

  @Nested
  @Execution(ExecutionMode.CONCURRENT)
  class OfPrograms extends ProgramStops {}
}
