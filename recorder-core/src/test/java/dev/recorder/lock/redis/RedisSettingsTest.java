package dev.recorder.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.lock.Instruments;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RedisSettingsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  void showsWhereAndNeverThePassword() {
    RedisSettings settings = RedisSettings.of("host", 6379).user("user").password("secret").build();

    assertThat(settings).hasToString("redis://host:6379");
  }

  @Test
  void refusesWhatCannotBe() {
    refused(() -> RedisSettings.of(" ", 6379).build(), "host");
    refused(() -> RedisSettings.of("host", 0).build(), "port");
    refused(() -> RedisSettings.of("host", 6379).user("user").build(), "password");
    refused(() -> RedisSettings.of("host", 6379).timeout(Duration.ZERO).build(), "timeout");
    RedisLockOptions usual = RedisLockOptions.DEFAULT;
    refused(() -> usual.withPrefix("a b"), "prefix");
    refused(() -> usual.withPrefix("{a}"), "prefix");
    refused(() -> usual.withExpiry(Duration.ofMillis(29)), "expiry");
    refused(() -> new RedisLockOptions("", SECOND, Duration.ZERO, 1), "pause");
    refused(() -> new RedisLockOptions("", SECOND, SECOND, 0), "connections");
  }

  @Test
  void aCallMustEndBeforeTheNextRenewalIsDue() {
    RedisSettings slow = RedisSettings.of("host", 6379).timeout(Duration.ofSeconds(5)).build();

    refused(() -> locks(slow, "worker"), "timeout must be less than a third of expiry");
    refused(() -> locks(RedisSettings.of("host", 6379).build(), "two words"), "worker");
  }

  private static void locks(RedisSettings settings, String worker) {
    new RedisLocks(settings, worker, RedisLockOptions.DEFAULT, Instruments.PLAIN).close();
  }

  @Test
  void aLeaseIsShorterThanItsExpiryByWhatClocksMayDiffer() {
    assertThat(RedisLockOptions.DEFAULT.validity()).isEqualTo(Duration.ofMillis(14_848));
    assertThat(RedisLockOptions.DEFAULT.renewal()).isEqualTo(Duration.ofSeconds(5));
    assertThat(RedisLockOptions.DEFAULT.retry()).isEqualTo(SECOND);
    assertThat(RedisLockOptions.DEFAULT.withExpiry(SECOND).retry())
        .isEqualTo(Duration.ofMillis(100));
  }

  private static void refused(Runnable making, String why) {
    assertThatThrownBy(making::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }
}
