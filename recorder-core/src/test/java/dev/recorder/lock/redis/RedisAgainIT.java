package dev.recorder.lock.redis;

import static dev.recorder.lock.Leases.lossOf;
import static dev.recorder.lock.Leases.take;
import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.lock.FencingCounter;
import dev.recorder.lock.Lease;
import dev.recorder.lock.LeaseState;
import dev.recorder.lock.LockException;
import dev.recorder.lock.Loss;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A key that is gone while its lease lives is taken again, unless somebody may have had it. */
class RedisAgainIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  /** Renewed every second; nobody is late by the nine that are left. */
  private static final RedisLockOptions OPTIONS =
      RedisSite.OPTIONS.withExpiry(Duration.ofSeconds(10));

  private static final long EXPIRY_MILLIS = 1_000_000;

  @AutoClose private final RedisSite site = new RedisSite();

  private final KeyClaim one = KeyClaim.of("test:", "job", "one");
  private final KeyClaim other = KeyClaim.of("test:", "job", "other");

  private RedisLink link() {
    return RedisLink.open(site.settings(site.server().port()), "x");
  }

  private void delete() {
    site.server().ask("DEL", RedisSite.key("job"));
  }

  @Test
  void aDeletedKeyIsTakenAgainWithANewTokenAndTheLeaseGoesOn() {
    Lease lease = take(site.direct("one", OPTIONS).lock("job"));
    long before = lease.token();

    delete();

    await().atMost(SOON).until(() -> lease.token() > before);
    assertThat(lease.state()).isEqualTo(LeaseState.HELD);
    assertThat(site.value("job")).startsWith("one:");
    assertThat(site.ttlMillis("job")).isPositive();
    lease.close();
    assertThat(site.server().keys("test:l*")).isEmpty();
    Lease next = take(site.direct("next", OPTIONS).lock("job"));
    assertThat(next.token()).isGreaterThan(before + 1);
  }

  @Test
  void soItIsWithTokensOfACounter() {
    AtomicLong counter = new AtomicLong(100);
    Lease lease =
        take(site.counting("one", OPTIONS, name -> counter.incrementAndGet()).lock("job"));
    assertThat(lease.token()).isEqualTo(101);

    delete();

    await().atMost(SOON).until(() -> lease.token() == 102);
    assertThat(lease.state()).isEqualTo(LeaseState.HELD);
    assertThat(site.value("job")).startsWith("one:");
  }

  @Test
  void withoutATokenTheLeaseIsLostAndTheKeyGivenBack() throws Exception {
    AtomicLong counter = new AtomicLong(100);
    FencingCounter once =
        name -> {
          if (counter.get() > 100) {
            throw new LockException(name, LockException.Kind.UNREACHABLE, "none today");
          }
          return counter.incrementAndGet();
        };
    Lease lease = take(site.counting("one", OPTIONS, once).lock("job"));

    delete();

    assertThat(lossOf(lease))
        .isEqualTo(
            new Loss(
                Loss.Cause.REVOKED, "its key was gone, and there is no new token: none today"));
    await().atMost(SOON).until(() -> site.value("job") == null);
  }

  /** Whoever compares tokens would refuse its writes. */
  @Test
  void withATokenThatIsNoGreaterTheLeaseIsLost() throws Exception {
    AtomicLong counter = new AtomicLong(100);
    Lease lease =
        take(site.counting("one", OPTIONS, name -> counter.decrementAndGet()).lock("job"));

    delete();

    assertThat(lossOf(lease))
        .isEqualTo(
            new Loss(
                Loss.Cause.REVOKED,
                "its key was gone, and there is no new token: the next one, 98, is no greater"));
    await().atMost(SOON).until(() -> site.value("job") == null);
  }

  @Test
  void aCounterThatFailsInAnUnforeseenWayCostsNoOtherLease() throws Exception {
    AtomicLong counter = new AtomicLong(100);
    FencingCounter broken =
        name -> {
          if (counter.get() > 101) {
            throw new IllegalStateException("broken");
          }
          return counter.incrementAndGet();
        };
    RedisLocks locks = site.counting("one", OPTIONS, broken);
    Lease lease = take(locks.lock("job"));
    Lease other = take(locks.lock("other"));

    delete();

    assertThat(lossOf(lease).detail()).contains("there is no new token", "broken");
    site.server().ask("PEXPIRE", RedisSite.key("other"), "5000");
    await().atMost(SOON).until(() -> site.ttlMillis("other") > 5_000);
    assertThat(other.state()).isEqualTo(LeaseState.HELD);
  }

  @Test
  void whoLetsGoOfAKeyThatWasGoneAllTheWhileHasLostNothing() {
    Lease lease = take(site.direct("one", RedisSite.LONG).lock("job"));
    delete();

    lease.close();

    assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
    assertThat(site.server().keys("test:l*")).isEmpty();
  }

  @Test
  void whatSomebodyTookAndReleasedInBetweenIsLost() {
    try (RedisLink link = link()) {
      link.takeWithToken(one, EXPIRY_MILLIS);
      delete();
      assertThat(link.takeWithToken(other, EXPIRY_MILLIS)).hasValue(2);
      assertThat(link.release(other)).isEmpty();

      assertThat(link.renew(one, EXPIRY_MILLIS, true).loss()).isPresent();
      assertThat(link.release(one)).isPresent();
      assertThat(site.value("job")).isNull();
    }
  }

  @Test
  void whatSomebodyTookAndLetExpireInBetweenIsLost() {
    try (RedisLink link = link()) {
      link.take(one, EXPIRY_MILLIS);
      delete();
      assertThat(link.take(other, EXPIRY_MILLIS)).isTrue();
      delete();

      assertThat(link.renew(one, EXPIRY_MILLIS, false).loss()).isPresent();
      assertThat(site.value("job")).isNull();
    }
  }

  /** It counts from one again: the same number says nothing. */
  @Test
  void whatAServerHasForgottenIsLostAlsoIfItHasCountedAsFarAgain() {
    try (RedisLink link = link()) {
      assertThat(link.takeWithToken(one, EXPIRY_MILLIS)).hasValue(1);
      site.server().ask("FLUSHALL");
      assertThat(link.renew(one, EXPIRY_MILLIS, true).loss()).isPresent();
      assertThat(link.takeWithToken(other, EXPIRY_MILLIS)).hasValue(1);
      assertThat(link.release(other)).isEmpty();

      assertThat(link.renew(one, EXPIRY_MILLIS, true).loss()).isPresent();
    }
  }

  @Test
  void anOperatorsReleaseIsForGood() throws Exception {
    Lease lease = take(site.direct("one", OPTIONS).lock("job"));
    try (RedisLockAdmin admin = RedisLockAdmin.open(site.settings(site.server().port()), "test:")) {
      assertThat(admin.release(admin.find("job").orElseThrow())).isTrue();
    }

    assertThat(lossOf(lease).cause()).isEqualTo(Loss.Cause.REVOKED);
    assertThat(site.value("job")).isNull();
  }
}
