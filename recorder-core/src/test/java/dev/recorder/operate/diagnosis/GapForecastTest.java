package dev.recorder.operate.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.operate.site.Takeover;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GapForecastTest {
  @Test
  void onlyTimesWhenItWasHandedOverInGoodOrderTell() {
    assertThat(
            GapForecast.of(
                List.of(
                    receipt("switchover", 30L),
                    receipt("died", 900L),
                    receipt("failback", 10L),
                    receipt("switchover", 20L),
                    receipt("silent", 2_000L))))
        .contains(new GapForecast(3, 20, 30));
  }

  @Test
  void whereItNeverWasNothingIsForetold() {
    assertThat(GapForecast.of(List.of(receipt("start", null), receipt("died", 5L)))).isEmpty();
  }

  @Test
  void itIsTellingInASentence() {
    assertThat(new GapForecast(5, 12, 30))
        .hasToString("the last 5 times no host was active for 12 ms (median), at most 30 ms");
    assertThat(new GapForecast(1, 12, 12))
        .hasToString("the last time no host was active for 12 ms");
  }

  private static Takeover receipt(String reason, @Nullable Long gap) {
    return new Takeover(Instant.EPOCH, 1, "orders", reason, "a", "b", 1, 2, 0, gap, 3, 1, null);
  }
}
