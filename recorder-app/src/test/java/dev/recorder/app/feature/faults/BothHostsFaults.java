package dev.recorder.app.feature.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.app.feature.Story;
import dev.recorder.app.harness.Host;
import dev.recorder.app.harness.LogState;
import dev.recorder.app.harness.Particulars;
import dev.recorder.app.harness.Takeover;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nobody is left to take over: PostgreSQL dies, or both hosts do. */
abstract class BothHostsFaults {
  /** Much longer than a host needs to start, and to beat. */
  private static final Duration AWAY = Duration.ofSeconds(5);

  private static final Duration BACK_WITHIN = Duration.ofMinutes(3);

  @RegisterExtension private final Story story = Story.withOwnDatabase();
  private Host a;
  private Host b;

  @BeforeEach
  void startTwoHosts() throws Exception {
    a = story.cluster().host("host-a", true, Particulars.STEADY);
    b = story.cluster().host("host-b", false, Particulars.STEADY);
    story.begin(a, b);
    story.awaitNextSlot();
  }

  private void killedAndStartedAgainTheDatabaseFindsOneOfThemAtWork() throws Exception {
    long epoch = story.observer().state().epoch();
    story.postgres().kill();
    Thread.sleep(2_000);
    story.postgres().restart();
    long up = System.nanoTime();

    LogState back = story.awaitTermAtWork(epoch + 1);
    story.figure("at work, ms after PostgreSQL was back:", Story.millis(up, back.seenNanos()));
    for (Host host : story.cluster().hosts()) {
      story.observer().awaitReady(host, BACK_WITHIN);
      // Its writer may notice first, and then the loss of the session again.
      story.assertAlarms(host, Story.SESSION_LOST, Story.NO_DATABASE, Story.NO_DATABASE);
    }
    story.awaitNextSlot();
    assertThat(story.observer().state().epoch()).isEqualTo(epoch + 1);
  }

  @Test
  void killedOrRestartedOrWithADatabaseThatWasOneOfThemGoesOn() throws Exception {
    aHostThatSucceedsItselfTellsForHowLongNobodyWasThere();
    killedAndStartedAtOnceOneOfThemGoesOn();
    restartedAtOnceOneOfThemGoesOn();
    killedAndStartedAgainTheDatabaseFindsOneOfThemAtWork();
    story.endAfter(2);
  }

  private void killedAndStartedAtOnceOneOfThemGoesOn() throws Exception {
    a.kill();
    b.kill();
    long started = System.nanoTime();
    a.start();
    b.start();

    LogState back = story.awaitTermAtWork(3);
    story.figure("at work, ms after the start:", Story.millis(started, back.seenNanos()));
    bothAreThereInOneTerm(back.epoch());
  }

  private void aHostThatSucceedsItselfTellsForHowLongNobodyWasThere() throws Exception {
    b.kill();
    a.kill();
    Thread.sleep(AWAY.toMillis());
    a.start();

    LogState back = story.awaitTermAtWork(2);
    Takeover receipt = story.observer().takeovers().get(1);
    story.figure("gap, ms:", receipt.gapMillis());
    assertThat(back.holder()).isEqualTo("host-a");
    assertThat(receipt.from()).isEqualTo("host-a");
    assertThat(receipt.gapMillis()).isGreaterThanOrEqualTo(AWAY.toMillis());
    assertThat(receipt.silenceMillis()).isGreaterThanOrEqualTo(AWAY.toMillis());
    b.start();
    story.observer().awaitReady(b, BACK_WITHIN);
  }

  private void restartedAtOnceOneOfThemGoesOn() throws Exception {
    a.terminate();
    b.terminate();
    assertThat(a.awaitExit(BACK_WITHIN)).isZero();
    assertThat(b.awaitExit(BACK_WITHIN)).isZero();
    long epoch = story.observer().state().epoch();
    assertThat(story.observer().state().holder()).isNull();
    long started = System.nanoTime();
    a.start();
    b.start();

    LogState back = story.awaitTermAtWork(epoch + 1);
    story.figure("at work, ms after the start:", Story.millis(started, back.seenNanos()));
    bothAreThereInOneTerm(epoch + 1);
  }

  private void bothAreThereInOneTerm(long epoch) throws Exception {
    story.observer().awaitReady(a, BACK_WITHIN);
    story.observer().awaitReady(b, BACK_WITHIN);
    story.awaitNextSlot();
    assertThat(story.observer().state().epoch()).isEqualTo(epoch);
    story.assertNoAlarms(a);
    story.assertNoAlarms(b);
    story.nextChapter();
  }
}
