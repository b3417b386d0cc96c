package dev.recorder.producer.postgres;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.recorder.producer.WaitException;
import dev.recorder.testing.LeavingInterrupts;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RecordedWaitsTest {
  /** As a pool may: nobody has closed the waits by it. */
  @Test
  void anInterruptThatASourceLeavesEndsNoLaterWait() {
    try (RecordedWaits waits = RecordedWaits.on(LeavingInterrupts.source(() -> {}))) {
      for (int wait = 0; wait < 3; wait++) {
        assertThatExceptionOfType(WaitException.class)
            .isThrownBy(() -> waits.await("orders", 1, Duration.ZERO))
            .extracting(WaitException::reason)
            .isEqualTo(WaitException.Reason.NO_ANSWER);
      }
    }
  }
}
