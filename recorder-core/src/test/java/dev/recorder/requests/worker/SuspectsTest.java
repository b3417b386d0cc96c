package dev.recorder.requests.worker;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SuspectsTest {

  @Test
  void thereIsOnePermit() throws Exception {
    Suspects suspects = new Suspects();

    Suspects.Permit permit = suspects.ask();
    assertThat(permit.had()).isTrue();
    assertThat(suspects.ask().had()).isFalse();
    permit.close();
    assertThat(suspects.ask().had()).isTrue();
  }

  @Test
  void aPermitIsGivenBackOnce() throws Exception {
    Suspects suspects = new Suspects();
    Suspects.Permit first = suspects.ask();
    first.close();

    Suspects.Permit second = suspects.ask();
    first.close();
    suspects.none().close();
    assertThat(second.had()).isTrue();
    assertThat(suspects.ask().had()).isFalse();
  }

  @Test
  void whoWaitsGetsThePermitBeforeWhoHadIt() throws Exception {
    Suspects suspects = new Suspects(Duration.ofMinutes(1));
    Suspects.Permit held = suspects.ask();
    assertThat(held.had()).isTrue();
    FutureTask<Suspects.Permit> other = new FutureTask<>(suspects::ask);
    Thread thread = new Thread(other);
    thread.start();
    await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);

    held.close();
    FutureTask<Suspects.Permit> again = new FutureTask<>(suspects::ask);
    Thread greedy = new Thread(again);
    greedy.start();
    assertThat(other.get().had()).isTrue();
    assertThat(again.isDone()).isFalse();
    greedy.interrupt();
  }
}
