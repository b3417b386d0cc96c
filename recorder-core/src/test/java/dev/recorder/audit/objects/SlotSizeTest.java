package dev.recorder.audit.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.slotlog.SlotBound;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlotSizeTest {
  @Test
  void anObjectThatIsLargerThanUsualIsTriedWithTwiceAsMuchEachTimeUntilAllThatItMayHave() {
    SlotSize size = new SlotSize(8_000, 10, SlotBound.planned(4_000_000));

    assertThat(tries(size))
        .startsWith(8_000L, 16_000L, 32_000L)
        .endsWith(2_048_000L, 4_000_000L)
        .hasSize(10);
  }

  /**
   * However much one may have that nothing is planned for, there is room for what is tried last.
   */
  @Test
  void noTryNeedsMoreThanTheHeapHas() {
    SlotSize size = SlotSize.of(List.of());

    assertThat(tries(size)).hasSizeGreaterThan(2);
    for (long bytes : tries(size)) {
      long need = SlotSize.need(new SlotBound(bytes, true));
      assertThat(SlotObjects.tooLarge(ReadingRoom.HEAP, need)).as(bytes + " bytes").isEmpty();
    }
  }

  private static List<Long> tries(SlotSize size) {
    List<Long> tries = new ArrayList<>();
    SlotBound bound = size.first();
    tries.add(bound.bytes());
    while (bound.bytes() < size.bound().bytes()) {
      bound = size.after(bound);
      tries.add(bound.bytes());
    }
    return tries;
  }
}
