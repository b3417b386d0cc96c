package dev.recorder.replay.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.slotlog.WindowPart;
import org.junit.jupiter.api.Test;

class LogTimelinesTest {
  private final LogTimelines eras = new LogTimelines();

  @Test
  void windowsThatFollowOneAnotherAreOfOneEra() {
    eras.begin(open("10.a", "20.b"));
    int first = eras.of(15);
    eras.begin(last("10.a", "20.b"));
    assertThat(eras.of(15)).isEqualTo(first);
    eras.begin(last("20.b", "30.c"));
    assertThat(eras.of(15)).isEqualTo(first);
    assertThat(eras.of(25)).isEqualTo(first);
  }

  @Test
  void whatComesBehindAStepIsLater() {
    eras.begin(last("10.a", "20.b"));
    int before = eras.of(15);

    eras.begin(last("10.a", "25.c"));

    assertThat(eras.of(15)).isGreaterThan(before);
    assertThat(eras.of(22)).isGreaterThan(before);
  }

  @Test
  void whatIsLeftOfAWindowThatBreaksOffBelongsToIt() {
    eras.begin(open("10.a", "20.b"));
    int before = eras.of(15);

    eras.begin(open("10.a", "25.c"));
    assertThat(eras.of(19)).isEqualTo(before);
    assertThat(eras.of(20)).isGreaterThan(before);

    eras.begin(last("10.a", "25.c"));
    assertThat(eras.of(19)).isEqualTo(before);

    eras.begin(last("25.c", "30.d"));
    assertThat(eras.of(19)).isGreaterThan(before);
  }

  /** It lost more than the window: numbers below its end are given out again. */
  @Test
  void nothingIsLeftOfAWindowWhoseBeginningIsLost() {
    eras.begin(open("10.a", "20.b"));
    int before = eras.of(15);

    eras.begin(last("5.x", "12.y"));

    assertThat(eras.of(8)).isGreaterThan(before);
  }

  @Test
  void aSlotThatSaysNothingIsNoStep() {
    eras.begin(last("10.a", "20.b"));
    int before = eras.of(15);

    eras.begin(null);
    eras.begin(last("10.a", "25.c"));

    assertThat(eras.of(15)).isEqualTo(before);
  }

  @Test
  void aMarkThatIsNoneLeavesNothingBehind() {
    eras.begin(open("a", "b"));
    int before = eras.of(15);

    eras.begin(last("a", "c"));

    assertThat(eras.of(0)).isGreaterThan(before);
  }

  private static WindowPart open(String from, String to) {
    return new WindowPart(from, to, false);
  }

  private static WindowPart last(String from, String to) {
    return new WindowPart(from, to, true);
  }
}
