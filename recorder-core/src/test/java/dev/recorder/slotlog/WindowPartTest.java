package dev.recorder.slotlog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.handoff.Snapshot;
import dev.recorder.handoff.Window;
import org.junit.jupiter.api.Test;

class WindowPartTest {
  private static final String FIRST = "50:50:";
  private static final String SECOND = "60:64:60,62";
  private static final String THIRD = "70:70:";

  @Test
  void theSlotsOfAWindowGoOnFromOneAnotherAndTheNextWindowFromTheLastOfThem() {
    assertThat(open(FIRST, SECOND).isContinuedBy(open(FIRST, SECOND))).isTrue();
    assertThat(open(FIRST, SECOND).isContinuedBy(last(FIRST, SECOND))).isTrue();
    assertThat(last(FIRST, SECOND).isContinuedBy(open(SECOND, THIRD))).isTrue();
  }

  /** Where the rows that a full slot had left behind were gone when they were to be read. */
  @Test
  void aWindowMayEndWithoutAFurtherSlot() {
    assertThat(open(FIRST, SECOND).isContinuedBy(last(SECOND, THIRD))).isTrue();
  }

  @Test
  void aDatabaseThatLostCommitsGoesOnFromAnEarlierPlace() {
    assertThat(last(FIRST, SECOND).isContinuedBy(last(FIRST, THIRD))).isFalse();
    assertThat(last(FIRST, SECOND).isContinuedBy(last(FIRST, SECOND))).isFalse();
    assertThat(open(FIRST, SECOND).isContinuedBy(open(FIRST, THIRD))).isFalse();
    assertThat(last(SECOND, THIRD).isContinuedBy(last(Snapshot.NOTHING.toString(), THIRD)))
        .isFalse();
  }

  @Test
  void snapshotsOfTheSameEndAreToldApartByWhatWasInProgress() {
    assertThat(last(FIRST, "60:64:60").to()).isNotEqualTo(last(FIRST, SECOND).to());
    assertThat(last(FIRST, SECOND).to()).isEqualTo(last(FIRST, "60:64:62,60").to());
  }

  private static WindowPart open(String from, String to) {
    return part(from, to, false);
  }

  private static WindowPart last(String from, String to) {
    return part(from, to, true);
  }

  private static WindowPart part(String from, String to, boolean complete) {
    return WindowPart.of(new Window(Snapshot.parse(from), Snapshot.parse(to), complete));
  }
}
