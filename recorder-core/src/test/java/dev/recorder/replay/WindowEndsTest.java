package dev.recorder.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.slotlog.WindowPart;
import org.junit.jupiter.api.Test;

class WindowEndsTest {
  private final WindowEnds windows = new WindowEnds(ReplayPosition.of(1));

  @Test
  void aWindowEndsWithTheSlotThatSaysSo() {
    windows.add(1, open("a", "b"));
    assertThat(windows.hasEnded()).isFalse();

    windows.add(2, last("a", "b"));
    assertThat(windows.hasEnded()).isTrue();
    assertThat(windows.end()).isEqualTo(new ReplayPosition(3, last("a", "b")));
  }

  @Test
  void whatIsBehindTheLastEndIsOpen() {
    windows.add(1, last("a", "b"));
    windows.add(2, open("b", "c"));
    windows.add(3, open("b", "c"));

    assertThat(windows.end().nextSlot()).isEqualTo(2);
    assertThat(windows.open()).isEqualTo(2);
  }

  @Test
  void whatIsAppliedHasNotEndedAgain() {
    windows.add(1, last("a", "b"));
    windows.applied();
    assertThat(windows.hasEnded()).isFalse();

    windows.add(2, open("b", "c"));
    assertThat(windows.hasEnded()).isFalse();
    windows.add(3, last("b", "c"));
    assertThat(windows.hasEnded()).isTrue();
  }

  /** The rows that a full slot left behind were gone when they were to be read. */
  @Test
  void aWindowHasEndedWhereTheNextBeginsAtItsEnd() {
    windows.add(1, open("a", "b"));
    windows.add(2, open("b", "c"));

    assertThat(windows.hasEnded()).isTrue();
    assertThat(windows.end()).isEqualTo(new ReplayPosition(2, open("a", "b")));
    assertThat(windows.stepsBefore()).isEmpty();
  }

  @Test
  void aSlotThatSaysNothingIsTakenTogetherWithWhatFollows() {
    windows.add(1, null);
    assertThat(windows.hasEnded()).isFalse();

    windows.add(2, open("a", "b"));
    assertThat(windows.hasEnded()).isFalse();

    windows.add(3, last("a", "b"));
    assertThat(windows.end().nextSlot()).isEqualTo(4);
    assertThat(windows.stepsBefore()).isEmpty();
  }

  /** What came before the slot that says nothing tells no more where windows end. */
  @Test
  void noStepIsSeenWhereASlotBetweenSaysNothing() {
    windows.add(1, last("a", "b"));
    windows.add(2, null);
    windows.add(3, last("c", "d"));

    assertThat(windows.stepsBefore()).isEmpty();
    assertThat(windows.end().nextSlot()).isEqualTo(4);
  }

  @Test
  void aSlotThatGoesOnFromAnEarlierPlaceIsAStep() {
    windows.add(1, last("a", "b"));
    windows.add(2, last("a", "c"));
    windows.add(3, last("c", "d"));

    assertThat(windows.stepsBefore()).containsExactly(2L);
  }

  /** Its rows may belong before those that are there. */
  @Test
  void aWindowThatBreaksOffIsTakenTogetherWithTheNext() {
    windows.add(1, open("a", "b"));
    windows.add(2, open("x", "y"));
    assertThat(windows.hasEnded()).isFalse();

    windows.add(3, last("x", "y"));
    assertThat(windows.end().nextSlot()).isEqualTo(4);
    assertThat(windows.stepsBefore()).containsExactly(2L);
  }

  @Test
  void aStepIsSeenBehindWhatWasAppliedInAnEarlierReplay() {
    WindowEnds later = new WindowEnds(new ReplayPosition(7, last("a", "b")));

    later.add(7, last("x", "y"));

    assertThat(later.stepsBefore()).containsExactly(7L);
  }

  @Test
  void slotsComeOneAfterTheOther() {
    windows.add(1, null);

    assertThatThrownBy(() -> windows.add(3, null)).isInstanceOf(IllegalArgumentException.class);
  }

  private static WindowPart open(String from, String to) {
    return new WindowPart(from, to, false);
  }

  private static WindowPart last(String from, String to) {
    return new WindowPart(from, to, true);
  }
}
