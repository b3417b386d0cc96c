package dev.recorder.capture.postgres.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ChunkSizeTest {
  private final ChunkSize size = new ChunkSize();

  @Test
  void aChunkThatTookTooLongIsFollowedByOneThatFits() {
    long before = size.places();

    size.took(3L * ChunkSize.WANTED_MILLIS, ChunkSize.FEW_ROWS);

    assertThat(size.places()).isEqualTo(before / 3);
  }

  @Test
  void aQuickOneIsFollowedByOneOfTwiceItsSizeAtMost() {
    long before = size.places();

    size.took(0, 0);

    assertThat(size.places()).isEqualTo(2 * before);
  }

  @Test
  void oneThatFailsAgainAndAgainComesDownToASingleRow() {
    for (int i = 0; i < 40; i++) {
      size.failed();
    }
    assertThat(size.places()).isEqualTo(1);

    size.took(1_000 * ChunkSize.WANTED_MILLIS, 1);
    assertThat(size.places()).isEqualTo(1);

    size.took(1, 1);
    assertThat(size.places()).isEqualTo(2);
  }

  /** With many columns, or on a busy server: were it to shrink each time, it would never end. */
  @Test
  void oneOfFewRowsIsNotFollowedByASmallerOneHoweverLongItTakes() {
    long before = size.places();

    size.took(ChunkSize.LONG_MILLIS, ChunkSize.FEW_ROWS - 1);
    assertThat(size.places()).isEqualTo(before);

    size.took(ChunkSize.LONG_MILLIS - 1, ChunkSize.FEW_ROWS - 1);
    assertThat(size.places()).isEqualTo(2 * before);
  }

  @Test
  void emptyTablesAreNotReadInOnePiece() {
    for (int i = 0; i < 100; i++) {
      size.took(0, 0);
    }

    assertThat(size.places() / ChunkSize.PLACES_PER_BLOCK * 8_192).isEqualTo(256L << 20);
  }
}
