package dev.recorder.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.audit.BlockRanges.BlockRange;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BlockRangesTest {
  @Test
  void numbersThatFollowOneAnotherAreOneStretch() {
    BlockRanges ranges = BlockRanges.ofBlocks(List.of(3L, 1L, 2L, 5L));

    assertThat(ranges).hasToString("{1=3, 5=5}");
    assertThat(ranges)
        .isEqualTo(BlockRanges.of(List.of(new BlockRange(5, 5), new BlockRange(1, 3))));
    assertThat(ranges).isNotEqualTo(BlockRanges.ofBlocks(List.of(1L, 2L, 5L)));
  }

  /** As of a late row, of which there is a note beside that of its stretch. */
  @Test
  void oneWithinAnotherHidesNothingOfIt() {
    BlockRanges ranges = BlockRanges.of(List.of(new BlockRange(1, 10), new BlockRange(3, 3)));

    assertThat(LongStream.rangeClosed(1, 10)).allMatch(ranges::has);
    assertThat(ranges.has(0)).isFalse();
    assertThat(ranges.has(11)).isFalse();
  }

  @Test
  void hasWhatASetOfItsNumbersHas() {
    Random random = new Random(4711);
    for (int run = 0; run < 2_000; run++) {
      List<BlockRange> drawn =
          random
              .ints(random.nextInt(6), 0, 20)
              .mapToObj(first -> new BlockRange(first, first + random.nextInt(5)))
              .toList();
      Set<Long> all = new HashSet<>();
      drawn.forEach(range -> LongStream.rangeClosed(range.first(), range.last()).forEach(all::add));
      BlockRanges ranges = BlockRanges.of(drawn);

      assertThat(LongStream.range(-1, 26).filter(ranges::has).boxed().toList())
          .as("%s", drawn)
          .containsExactlyInAnyOrderElementsOf(all);
      assertThat(ranges).isEqualTo(BlockRanges.ofBlocks(all));
    }
  }

  @Test
  void aStretchDoesNotEndBeforeItBegins() {
    assertThatThrownBy(() -> new BlockRange(2, 1)).hasMessage("no blocks from 2 to 1");
  }
}
