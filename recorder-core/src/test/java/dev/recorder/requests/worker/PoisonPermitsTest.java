package dev.recorder.requests.worker;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PoisonPermitsTest {

  @Test
  void thereIsOnePermit() throws Exception {
    PoisonPermits permits = new PoisonPermits();

    PoisonPermits.Permit permit = permits.ask();
    assertThat(permit.had()).isTrue();
    assertThat(permits.ask().had()).isFalse();
    permit.close();
    assertThat(permits.ask().had()).isTrue();
  }

  @Test
  void aPermitIsGivenBackOnce() throws Exception {
    PoisonPermits permits = new PoisonPermits();
    PoisonPermits.Permit first = permits.ask();
    first.close();

    PoisonPermits.Permit second = permits.ask();
    first.close();
    permits.none().close();
    assertThat(second.had()).isTrue();
    assertThat(permits.ask().had()).isFalse();
  }

  @Test
  void whoWaitsGetsThePermitBeforeWhoHadIt() throws Exception {
    PoisonPermits permits = new PoisonPermits(Duration.ofMinutes(1));
    PoisonPermits.Permit held = permits.ask();
    assertThat(held.had()).isTrue();
    FutureTask<PoisonPermits.Permit> other = new FutureTask<>(permits::ask);
    Thread thread = new Thread(other);
    thread.start();
    await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);

    held.close();
    FutureTask<PoisonPermits.Permit> again = new FutureTask<>(permits::ask);
    Thread greedy = new Thread(again);
    greedy.start();
    assertThat(other.get().had()).isTrue();
    assertThat(again.isDone()).isFalse();
    greedy.interrupt();
  }
}
