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

    assertThat(suspects.tryAcquire(false)).isTrue();
    assertThat(suspects.tryAcquire(false)).isFalse();
    assertThat(suspects.tryAcquire(true)).isFalse();
    suspects.release();
    assertThat(suspects.tryAcquire(true)).isTrue();
  }

  @Test
  void whoBeginsAPassGetsThePermitBeforeWhoHadIt() throws Exception {
    Suspects suspects = new Suspects(Duration.ofMinutes(1));
    assertThat(suspects.tryAcquire(false)).isTrue();
    FutureTask<Boolean> other = new FutureTask<>(() -> suspects.tryAcquire(true));
    Thread thread = new Thread(other);
    thread.start();
    await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);

    suspects.release();
    assertThat(suspects.tryAcquire(false)).isFalse();
    assertThat(other.get()).isTrue();
  }
}
