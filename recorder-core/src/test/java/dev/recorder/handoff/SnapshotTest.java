package dev.recorder.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotTest {
  @ParameterizedTest
  @CsvSource({
    "9, true", // below everything that was running
    "10, false", // running
    "11, true", // completed between two that were running
    "12, false",
    "14, true",
    "15, false", // not begun
    "16, false",
  })
  void seesWhatHadCompleted(long xid, boolean seen) {
    assertThat(Snapshot.parse("10:15:10,12").sees(xid)).isEqualTo(seen);
  }

  @ParameterizedTest
  @CsvSource({
    "10:15:10|12, 10:15:10|12, true", // itself
    "12:18:12|17, 10:15:10|12, true", // later: 10 has completed
    "10:20:10, 10:15:10|12, true",
    "11:20:11, 10:15:10|12, false", // 11 was seen and runs again
    "10:14:10|12, 10:15:10|12, false", // it has not come as far
    "30:30:, 10:15:10|12, true",
  })
  void coversAnEarlierOneIfNothingSeenThereIsUnseenHere(
      String later, String earlier, boolean covered) {
    assertThat(parse(later).covers(parse(earlier))).isEqualTo(covered);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"3:3:", "10:15:10,12", "734:734:", "9223372036854775806:9223372036854775807:"})
  void readsBackAsItIsWritten(String text) {
    assertThat(Snapshot.parse(text)).hasToString(text).isEqualTo(Snapshot.parse(text));
  }

  @Test
  void listsWhatWasRunningInOrder() {
    assertThat(Snapshot.parse("10:15:12,10").inProgressList()).isEqualTo("10,12");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "3:3", "a:b:", "1:2:3:4"})
  void refusesWhatIsNoSnapshot(String text) {
    assertThatThrownBy(() -> Snapshot.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  private static Snapshot parse(String text) {
    return Snapshot.parse(text.replace('|', ','));
  }
}
