package dev.recorder.requests.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AppliedIdsTest {

  @Test
  void isSortedAndSaysDistancesInBase36() {
    AppliedIds ids = AppliedIds.of(List.of(1036L, 36L, 37L, 36L));

    assertThat(ids.ids()).containsExactly(36L, 37L, 1036L);
    assertThat(ids.text()).isEqualTo("10.1.rr");
    assertThat(AppliedIds.parse("10.1.rr")).isEqualTo(ids);
  }

  @Test
  void anyIdsComeBack() {
    Random random = new Random(1);
    for (int i = 0; i < 5_000; i++) {
      TreeSet<Long> ids = new TreeSet<>();
      for (int n = random.nextInt(5); n > 0; n--) {
        ids.add(random.nextBoolean() ? random.nextLong() : random.nextInt(100));
      }
      AppliedIds applied = AppliedIds.of(ids);
      assertThat(AppliedIds.parse(applied.text()).ids()).containsExactlyElementsOf(ids);
    }
    AppliedIds extreme = AppliedIds.of(List.of(Long.MIN_VALUE, Long.MAX_VALUE));
    assertThat(AppliedIds.parse(extreme.text())).isEqualTo(extreme);
  }

  @Test
  void noneAreAnEmptyText() {
    assertThat(AppliedIds.NONE.text()).isEmpty();
    assertThat(AppliedIds.parse("")).isEqualTo(AppliedIds.NONE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ".",
        "1.",
        ".1",
        "1..2",
        "1.0",
        "1,2",
        "1 2",
        "A",
        "01",
        "+1",
        "-",
        "1.-1",
        "ü",
        "zzzzzzzzzzzzzzzz",
        "1.3w5e11264sgsf",
        "1y2p0ij32e8e7.1"
      })
  void anythingElseIsRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> AppliedIds.parse(text));
  }

  @Test
  void theTextOfSomeIsNeverLongerThanThatOfAll() {
    Random random = new Random(2);
    for (int i = 0; i < 2_000; i++) {
      List<Long> ids = random.longs(10, 1, 1L << random.nextInt(5, 63)).boxed().toList();
      AppliedIds some = AppliedIds.of(ids.stream().filter(id -> random.nextBoolean()).toList());
      assertThat(some.text().length()).isLessThanOrEqualTo(AppliedIds.of(ids).text().length());
    }
  }
}
