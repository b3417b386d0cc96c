package dev.recorder.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PositionTest {
  private static final Snapshot EARLY = Snapshot.parse("10:10:");
  private static final Snapshot LATE = Snapshot.parse("20:20:");

  @Test
  void aSlotThatTookAllOfItsWindowLeavesNoneOpen() {
    assertThat(new Window(EARLY, LATE, true).after(15, 3)).isEqualTo(Position.doneUpTo(LATE));
  }

  @Test
  void aSlotThatTookPartOfItsWindowLeavesItOpenBehindItsLastRow() {
    assertThat(new Window(EARLY, LATE, false).after(15, 3))
        .isEqualTo(new Position(EARLY, LATE, 15, 3));
  }

  @Test
  void anOpenPositionIsCoveredOnlyByWhatCoversItsWindow() {
    Position open = new Position(EARLY, LATE, 15, 3);

    assertThat(open.isCoveredBy(LATE)).isTrue();
    assertThat(open.isCoveredBy(Snapshot.parse("15:15:"))).isFalse();
    assertThat(Position.doneUpTo(EARLY).isCoveredBy(Snapshot.parse("15:15:"))).isTrue();
  }

  @Test
  void neitherAPositionNorAWindowRunsBackwards() {
    assertThatThrownBy(() -> new Position(LATE, EARLY, 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Window(LATE, EARLY, true))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void ofACommittedTransactionAllIsRecordedOnceThePositionIsBehindIt() {
    Position done = Position.doneUpTo(Snapshot.parse("10:15:12"));

    assertThat(done.hasRecorded(11)).isTrue();
    assertThat(done.hasRecorded(12)).isFalse();
    assertThat(done.hasRecorded(15)).isFalse();
  }

  @Test
  void anOpenWindowIsDoneWithTheTransactionsBeforeTheOneThatItStandsIn() {
    Position open = new Position(Snapshot.parse("10:15:12"), Snapshot.parse("18:20:18"), 17, 3);

    assertThat(open.hasRecorded(11)).isTrue();
    assertThat(open.hasRecorded(12)).isTrue();
    assertThat(open.hasRecorded(16)).isTrue();
    assertThat(open.hasRecorded(17)).as("it may have more rows").isFalse();
    assertThat(open.hasRecorded(18)).as("it was still running").isFalse();
    assertThat(open.hasRecorded(19)).isFalse();
  }
}
