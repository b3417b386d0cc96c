package dev.recorder.machine.term;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClearingTurnsTest {
  @Test
  void upToAHundredRecordersHaveATurnAsOftenAsOneAlone() {
    for (int recorders : new int[] {1, 2, 100, 109}) {
      assertThat(new ClearingTurns(10_000, recorders, 7).everyMillis()).isEqualTo(10_000);
      assertThat(new ClearingTurns(10_000, recorders, 7).firstMillis()).isEqualTo(10_000);
    }
  }

  @Test
  void ofAThousandNoMoreThanAFewHaveTheirTurnsInTheSameSecond() {
    Map<Long, Long> first =
        IntStream.rangeClosed(1, 998)
            .mapToObj(lockId -> new ClearingTurns(10_000, 998, lockId).firstMillis() / 1_000)
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));

    assertThat(new ClearingTurns(10_000, 998, 1).everyMillis()).isEqualTo(99_000);
    assertThat(first.keySet()).allMatch(second -> second >= 10 && second < 10 + 99);
    assertThat(first.values()).allMatch(turns -> turns <= 12);
  }
}
