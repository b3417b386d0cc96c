package dev.recorder.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SuspectsTest {

  @Test
  void thereIsOnePermit() throws Exception {
    Suspects suspects = new Suspects();

    assertThat(suspects.tryAcquire()).isTrue();
    assertThat(suspects.tryAcquire()).isFalse();
    suspects.release();
    assertThat(suspects.tryAcquire()).isTrue();
  }

  @Test
  void whoWaitsGetsThePermitBeforeWhoHadIt() throws Exception {
    Suspects suspects = new Suspects(Duration.ofMinutes(1));
    assertThat(suspects.tryAcquire()).isTrue();
    FutureTask<Boolean> other = new FutureTask<>(suspects::tryAcquire);
    Thread thread = new Thread(other);
    thread.start();
    await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);

    suspects.release();
    FutureTask<Boolean> again = new FutureTask<>(suspects::tryAcquire);
    Thread greedy = new Thread(again);
    greedy.start();
    assertThat(other.get()).isTrue();
    assertThat(again.isDone()).isFalse();
    greedy.interrupt();
  }
}
