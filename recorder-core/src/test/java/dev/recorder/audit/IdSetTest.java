package dev.recorder.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IdSetTest {
  private final IdSet ids = new IdSet();

  @Test
  void agreesWithASetOnAnyIds() {
    Random random = new Random(7);
    Set<Long> expected = new HashSet<>();
    for (int i = 0; i < 50_000; i++) {
      long id = random.nextInt(20_000) - 5_000L;
      assertThat(ids.add(id)).isEqualTo(expected.add(id));
    }
    for (long id = -6_000; id < 16_000; id++) {
      assertThat(ids.contains(id)).isEqualTo(expected.contains(id));
    }
  }

  @Test
  void remembersPagesThatAreFull() {
    for (long id = 0; id < 10_000; id++) {
      assertThat(ids.add(id)).isTrue();
    }
    for (long id = 0; id < 10_000; id++) {
      assertThat(ids.add(id)).isFalse();
      assertThat(ids.contains(id)).isTrue();
    }
    assertThat(ids.contains(10_000)).isFalse();
  }

  @Test
  void takesTheGreatestAndTheLeastId() {
    assertThat(ids.add(Long.MAX_VALUE)).isTrue();
    assertThat(ids.add(Long.MIN_VALUE)).isTrue();
    assertThat(ids.add(Long.MAX_VALUE)).isFalse();
    assertThat(ids.contains(Long.MIN_VALUE)).isTrue();
  }
}
