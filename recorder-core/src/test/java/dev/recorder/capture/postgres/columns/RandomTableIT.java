package dev.recorder.capture.postgres.columns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.capture.postgres.SnapshotSite;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** More tables: {@code -Drandom.tables=}. */
class RandomTableIT {
  static LongStream seeds() {
    return LongStream.range(0, Long.getLong("random.tables", 4));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theCopyOfARandomTableIsEqualOrWhatItLacksIsReported(long seed) throws Exception {
    try (SnapshotSite site = new SnapshotSite()) {
      RandomTable table = new RandomTable(site, seed);
      table.begin();
      for (int round = 0; round < 3; round++) {
        table.change(20);
        assertThat(table.difference()).as("seed %d", seed).isEmpty();
      }
    }
  }
}
