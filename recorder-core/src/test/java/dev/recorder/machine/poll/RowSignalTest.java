package dev.recorder.machine.poll;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Snapshot;
import dev.recorder.slotlog.SequenceObservation.SnapshotLook;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Looks come to the signal by hand. */
class RowSignalTest {
  private static final long START = Long.MAX_VALUE - 1_000; // soon to overflow

  private final AtomicInteger told = new AtomicInteger();
  private final RowSignal signal = new RowSignal(new RecorderName("orders"), closed -> {}, START);

  @Test
  void whoWaitsIsToldOnceOfARowThatMayHaveCome() {
    readAfter(7);
    await(1);
    sees(7);
    assertThat(told).hasValue(0);

    sees(8);
    sees(9);

    assertThat(told).hasValue(1);
    assertThat(signal.isAwaited()).isFalse();
  }

  /** Else a host whose slots are not taken would seem idle for ever, and no peer take over. */
  @Test
  void aWriterThatFoundSomethingToDoIsNotIdle() {
    readAfter(7);
    await(50_000);
    sees(7);
    long idleAt = signal.idleAt();

    signal.endWait();
    sees(7);
    sees(8);

    assertThat(signal.idleAt()).isEqualTo(idleAt);
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
    signal.reads();
    await(1);
    sees(7);

    assertThat(told).hasValue(1);
  }

  @Test
  void whoWaitsForManyRowsIsToldWhenTheyMayFillTheSlot() {
    readAfter(7);
    await(100);
    sees(50);
    signal.hears();
    assertThat(told).hasValue(0);

    sees(107);

    assertThat(told).hasValue(1);
  }

  @Test
  void whoWaitsForARowIsToldWhenSomebodySaysThatOneHasCome() {
    readAfter(7);
    await(1);
    signal.hears();

    assertThat(told).hasValue(1);
  }

  @Test
  void withoutLooksOrWithoutACounterItIsToldAfterASecond() {
    readAfter(7);
    await(1);
    signal.pollerIsGone(START + Duration.ofMillis(900).toNanos());
    assertThat(told).hasValue(0);
    signal.pollerIsGone(START + Duration.ofSeconds(1).toNanos());
    assertThat(told).hasValue(1);

    signal.reads();
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
    signal.pollerIsGone(START + 1);
    sees(7);

    assertThat(told).hasValue(1);
  }

  @Test
  void aWriterIsIdleAsLongAsItWaitsAndIsNotTold() {
    readAfter(7);
    sees(7, START + 10);
    assertThat(signal.idleAt()).isEqualTo(START);

    await(1);
    sees(7, START + 20);
    assertThat(signal.idleAt()).isEqualTo(START + 20);

    sees(8, START + 30);
    assertThat(signal.idleAt()).isEqualTo(START + 20);
  }

  @Test
  void nobodyIsToldAfterTheEnd() {
    readAfter(7);
    await(1);
    signal.close();
    sees(8);

    assertThat(told).hasValue(0);
  }

  /** The counter stood there for two looks, and then a read found nothing. */
  private void readAfter(long drawn) {
    sees(drawn);
    sees(drawn);
    signal.reads();
  }

  private void await(long rows) {
    signal.await(rows, START, told::incrementAndGet);
  }

  private void sees(long drawn) {
    sees(drawn, START);
  }

  private void sees(long drawn, long now) {
    signal.sees(new SnapshotLook(Snapshot.parse("100:100:"), 100, drawn), now);
  }

  private void seesNoCounter(long now) {
    signal.sees(new SnapshotLook(Snapshot.parse("100:100:"), 100, null), now);
  }
}
