package dev.recorder.machine.term;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClearingTurnsTest {
  @Test
  void upToAHundredRecordersHaveATurnAsOftenAsOneAlone() {
    for (int recorders : new int[] {1, 2, 100, 109}) {
      assertThat(new ClearingTurns(10_000, recorders, 7).every()).isEqualTo(Duration.ofSeconds(10));
      assertThat(new ClearingTurns(10_000, recorders, 7).first()).isEqualTo(Duration.ofSeconds(10));
    }
  }

  @Test
  void ofAThousandNoMoreThanAFewHaveTheirTurnsInTheSameSecond() {
    Map<Long, Long> first =
        IntStream.rangeClosed(1, 998)
            .mapToObj(lockId -> new ClearingTurns(10_000, 998, lockId).first().toSeconds())
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));

    assertThat(new ClearingTurns(10_000, 998, 1).every()).isEqualTo(Duration.ofSeconds(99));
    assertThat(first.keySet()).allMatch(second -> second >= 10 && second < 10 + 99);
    assertThat(first.values()).allMatch(turns -> turns <= 12);
  }
}
