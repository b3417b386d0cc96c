package dev.recorder.app.feature;

import static dev.recorder.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.Particulars;
import dev.recorder.app.harness.Takeover;
import dev.recorder.testing.servers.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Two hosts, one recorder, and an expiring key of Redis that says which of them is active; the
 * database's epochs fence as ever.
 */
@Timeout(900)
class KeyElectionIT {
  private static final RedisServer REDIS = RedisServer.start();
  private static final int CHAPTERS = 5;
  private static final Duration EXPIRY = Duration.ofSeconds(6);

  /** Until the key has expired, a waiter has asked again, and the silent one has been evicted. */
  private static final Duration AFTER_EXPIRY = Duration.ofMinutes(3);

  private static final Duration SOON = Duration.ofMinutes(3);

  /** Of a host, on a machine where others start, too. */
  private static final Duration START = Duration.ofMinutes(3);

  @RegisterExtension
  private final Story story =
      Story.withSections(
          """
          [redis]
          endpoint = 127.0.0.1
          port = %d
          expiry = %ds

          [recorder:orders]
          lockid = 1
          election = redis
          linger = %s
          """
              .formatted(REDIS.port(), EXPIRY.toSeconds(), Story.LINGER));

  private Host a;
  private Host b;

  @AfterAll
  static void stopRedis() throws Exception {
    REDIS.close();
  }

  @BeforeEach
  void startTwoHosts() throws Exception {
    a = story.cluster().host("host-a", false, Particulars.PATIENT);
    b = story.cluster().host("host-b", false, Particulars.PATIENT);
    story.begin(a);
    b.start();
    b.awaitLog(says(b, "acquiring_lock -> waiting_to_acquire_lock"), START);
  }

  private String key() {
    return "election/" + story.cluster().database().name() + "/recorder/orders";
  }

  private String says(Host host, String change) {
    return "worker " + host.name() + ", lock " + key() + ": " + change;
  }

  private String value() {
    return (String) REDIS.ask("GET", "recorder:lock:{" + key() + "}");
  }

  /** One after the other, on the same hosts. */
  @Test
  void whoHasTheKeyIsActiveWhateverBefallsItRedisOrTheDatabase() throws Exception {
    stoppedItIsReplacedAndTheLogsShowTheHandOver();
    endedInGoodOrderItGivesTheKeyBackAndKilledItIsReplacedWhenItHasExpired();
    aKeyThatIsOverwrittenIsLostAndTheOtherMayHaveItNext();
    story.awaitNextSlot();
    withoutRedisNobodyIsActiveAndWithItSomebodyIsAgain();
    cutOffFromTheDatabaseItLeavesTheKeyToTheOther();
    story.endAfter(CHAPTERS);
  }

  private void stoppedItIsReplacedAndTheLogsShowTheHandOver() throws Exception {
    assertThat(value()).startsWith("host-a");
    awaitNoWarningOfAHostThatWaits();
    a.freeze();

    story.observer().awaitWorking(b, AFTER_EXPIRY);
    a.thaw();

    a.awaitLog(says(a, "working -> pause_work (lost)"), SOON);
    story.awaitNextSlot();
    assertThat(value()).startsWith("host-b");
    assertThat(b.log())
        .anyMatch(line -> line.contains(says(b, "acquiring_lock -> working (acquired)")))
        .anyMatch(
            line ->
                line.matches(".*active \\((died|silent)\\): host-a -> host-b, epoch \\d+ -> .*"));
  }

  /** Each host of a story has a way of its own to the database: there is a warning of that. */
  private void awaitNoWarningOfAHostThatWaits() {
    await()
        .until(
            () -> story.cluster().run("status", "--check").output(),
            said ->
                said.lines().count() == 1
                    && said.startsWith("RECORDER WARNING - files differ in [postgredb] port:")
                    && !said.contains("; and "));
  }

  private void endedInGoodOrderItGivesTheKeyBackAndKilledItIsReplacedWhenItHasExpired()
      throws Exception {
    b.terminate();
    assertThat(b.awaitExit(SOON)).isZero();
    story.observer().awaitWorking(a, AFTER_EXPIRY);
    startAgain(b);

    a.kill();

    story.observer().awaitWorking(b, AFTER_EXPIRY);
    assertThat(story.observer().takeovers())
        .extracting(Takeover::reason)
        .endsWith("released", "died");
    startAgain(a);
  }

  private void startAgain(Host host) throws Exception {
    String waits = says(host, "acquiring_lock -> waiting_to_acquire_lock");
    long before = count(host, waits);
    host.start();
    await().until(() -> count(host, waits) > before);
  }

  private static long count(Host host, String text) {
    return host.log().stream().filter(line -> line.contains(text)).count();
  }

  private Host active() throws Exception {
    return story.observer().state().holder().equals(a.name()) ? a : b;
  }

  private void withoutRedisNobodyIsActiveAndWithItSomebodyIsAgain() throws Exception {
    Host active = active();
    REDIS.kill();
    story.observer().await("no host is active", AFTER_EXPIRY, state -> state.holder() == null);
    long slot = story.observer().state().lastSlot();
    Thread.sleep(1_000);
    assertThat(story.observer().state().lastSlot()).isEqualTo(slot);

    REDIS.restart();
    story.observer().await("somebody is", AFTER_EXPIRY, state -> state.holder() != null);
    story.awaitNextSlot();
    assertThat(active.log()).anyMatch(line -> line.contains(says(active, "working -> renew_lock")));
  }

  private void aKeyThatIsOverwrittenIsLostAndTheOtherMayHaveItNext() throws Exception {
    Host active = active();
    REDIS.ask("SET", "recorder:lock:{" + key() + "}", "an operator", "PX", "2000");

    story.observer().await("no host is active", SOON, state -> state.holder() == null);
    story.observer().await("somebody is", AFTER_EXPIRY, state -> state.holder() != null);
    assertThat(active.log()).anyMatch(line -> line.contains("the key of its election is lost"));
  }

  private void cutOffFromTheDatabaseItLeavesTheKeyToTheOther() throws Exception {
    Host active = active();
    Host other = active == a ? b : a;
    active.cut();

    story.observer().awaitWorking(other, AFTER_EXPIRY);
    active.heal();
    story.awaitNextSlot();
    assertThat(value()).startsWith(other.name());
  }
}
