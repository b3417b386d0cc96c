package dev.recorder.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Snapshot;
import dev.recorder.slotlog.Sighting.SnapshotLook;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A post that looks come to by hand. */
class PostTest {
  private static final long START = Long.MAX_VALUE - 1_000; // soon to overflow

  private final AtomicInteger told = new AtomicInteger();
  private final Post post = new Post(new RecorderName("orders"), closed -> {}, START);

  @Test
  void whoWaitsIsToldOnceOfARowThatMayHaveCome() {
    readAfter(7);
    await(1);
    sees(7);
    assertThat(told).hasValue(0);

    sees(8);
    sees(9);

    assertThat(told).hasValue(1);
    assertThat(post.isAwaited()).isFalse();
  }

  /** Else a host whose slots are not taken would seem idle for ever, and no peer take over. */
  @Test
  void aWriterThatFoundSomethingToDoIsNotIdle() {
    readAfter(7);
    await(50_000);
    sees(7);
    long idleAt = post.idleAt();

    post.endWait();
    sees(7);
    sees(8);

    assertThat(post.idleAt()).isEqualTo(idleAt);
    assertThat(told).hasValue(0);
  }

  @Test
  void whatCameWhileNobodyWaitedIsToldOfAtTheNextLook() {
    readAfter(7);
    sees(8);
    await(1);
    sees(8);

    assertThat(told).hasValue(1);
  }

  @Test
  void whatWasThereWhenTheReadBeganIsNoNews() {
    readAfter(8);
    sees(8);
    await(1);
    sees(8);

    assertThat(told).hasValue(0);
  }

  @Test
  void whoNeverLookedBeforeIsToldToReadAtTheFirstLook() {
    post.reads();
    await(1);
    sees(7);

    assertThat(told).hasValue(1);
  }

  @Test
  void whoWaitsForManyRowsIsToldWhenTheyMayFillTheSlot() {
    readAfter(7);
    await(100);
    sees(50);
    post.hears();
    assertThat(told).hasValue(0);

    sees(107);

    assertThat(told).hasValue(1);
  }

  @Test
  void whoWaitsForARowIsToldWhenSomebodySaysThatOneHasCome() {
    readAfter(7);
    await(1);
    post.hears();

    assertThat(told).hasValue(1);
  }

  @Test
  void withoutLooksOrWithoutACounterItIsToldAfterASecond() {
    readAfter(7);
    await(1);
    post.isBlind(START + Duration.ofMillis(900).toNanos());
    assertThat(told).hasValue(0);
    post.isBlind(START + Duration.ofSeconds(1).toNanos());
    assertThat(told).hasValue(1);

    post.reads();
    await(1);
    seesNoCounter(START + Duration.ofMillis(900).toNanos());
    assertThat(told).hasValue(1);
    seesNoCounter(START + Duration.ofSeconds(1).toNanos());
    assertThat(told).hasValue(2);
  }

  @Test
  void whatAnotherSessionSawIsComparedWithNothing() {
    readAfter(7);
    await(1);
    post.isBlind(START + 1);
    sees(7);

    assertThat(told).hasValue(1);
  }

  @Test
  void aWriterIsIdleAsLongAsItWaitsAndIsNotTold() {
    readAfter(7);
    sees(7, START + 10);
    assertThat(post.idleAt()).isEqualTo(START);

    await(1);
    sees(7, START + 20);
    assertThat(post.idleAt()).isEqualTo(START + 20);

    sees(8, START + 30);
    assertThat(post.idleAt()).isEqualTo(START + 20);
  }

  @Test
  void nobodyIsToldAfterTheEnd() {
    readAfter(7);
    await(1);
    post.close();
    sees(8);

    assertThat(told).hasValue(0);
  }

  /** The counter stood there for two looks, and then a read found nothing. */
  private void readAfter(long drawn) {
    sees(drawn);
    sees(drawn);
    post.reads();
  }

  private void await(long rows) {
    post.await(rows, START, told::incrementAndGet);
  }

  private void sees(long drawn) {
    sees(drawn, START);
  }

  private void sees(long drawn, long now) {
    post.sees(new SnapshotLook(Snapshot.parse("100:100:"), 100, drawn), now);
  }

  private void seesNoCounter(long now) {
    post.sees(new SnapshotLook(Snapshot.parse("100:100:"), 100, null), now);
  }
}
