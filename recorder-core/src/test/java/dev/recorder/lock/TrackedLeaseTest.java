package dev.recorder.lock;

import static dev.recorder.testing.Patience.A_MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TrackedLeaseTest {
  /** Such as one whose classes are gone; the thread may be one that keeps other leases, too. */
  @Test
  void aListenerThatFailsWithAnErrorKeepsNobodyFromHearingOfALoss() {
    LockListener failing =
        new LockListener() {
          @Override
          public void lost(String lock, Loss loss) {
            throw new NoClassDefFoundError("com/example/Metric");
          }
        };
    Instruments instruments = new Instruments(() -> 0, failing);
    LeaseLife life = LeaseLife.granted(0, Duration.ofSeconds(1), Loss.Cause.LEASE_EXPIRED);
    TrackedLease lease =
        new TrackedLease("a-lock", 1, life, (which, completed) -> null, instruments);
    Loss loss = new Loss(Loss.Cause.REVOKED, "for this test");

    lease.end(loss);

    assertThat(lease.lost().toCompletableFuture()).succeedsWithin(A_MINUTE).isEqualTo(loss);
  }
}
