package dev.recorder.app.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class SoakPlanTest {
  private static final int HOSTS = 3;
  private static final int RECORDERS = 3;

  @Test
  void theSameSeedDrawsTheSameFaults() {
    assertThat(faults(4711, 500)).isEqualTo(faults(4711, 500));
  }

  @Test
  void anotherSeedDrawsOthers() {
    assertThat(faults(4711, 50)).isNotEqualTo(faults(4712, 50));
  }

  @Test
  void everyKindIsDrawn() {
    assertThat(faults(1, 2_000)).extracting(Drawn::kind).contains(FaultKind.values());
  }

  @Test
  void everyDrawIsWithinItsBounds() {
    for (Drawn each : faults(2, 2_000)) {
      assertThat(each.host()).isBetween(0, HOSTS - 1);
      assertThat(each.recorder()).isBetween(0, RECORDERS - 1);
      assertThat(each.share()).isBetween(0.2, 1.0);
      assertThat(each.gap()).isBetween(Duration.ofMillis(100), Duration.ofSeconds(20));
      assertThat(each.lasts()).isBetween(Duration.ofMillis(100), Duration.ofSeconds(14));
    }
  }

  @Test
  void freezesLastFromHalfASecondToSix() {
    assertThat(faults(3, 2_000))
        .filteredOn(each -> each.kind() == FaultKind.FREEZE)
        .extracting(each -> (int) each.lasts().toMillis())
        .allMatch(millis -> millis >= 500 && millis <= 6_000)
        .anyMatch(millis -> millis < 1_500)
        .anyMatch(millis -> millis > 2_500);
  }

  @Test
  void anEvilMomentEndsWithAKillOfTheSuccessorWhileTheFirstFaultLasts() {
    List<Drawn> evil = faults(5, 2_000).stream().filter(Drawn::evil).toList();

    assertThat(evil).hasSizeGreaterThan(50);
    for (int i = 0; i + 1 < evil.size(); i += 2) {
      Drawn first = evil.get(i);
      Drawn second = evil.get(i + 1);
      assertThat(second.kind()).isEqualTo(FaultKind.KILL);
      assertThat(second.recorder()).isEqualTo(first.recorder());
      assertThat(second.gap()).isLessThanOrEqualTo(Duration.ofMillis(3_500));
      assertThat(first.atHolder() && second.atHolder()).isTrue();
    }
  }

  private static List<Drawn> faults(long seed, int count) {
    SoakPlan plan = new SoakPlan(seed, HOSTS, RECORDERS, EnumSet.allOf(FaultKind.class));
    List<Drawn> faults = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      faults.add(plan.next());
    }
    return faults;
  }
}
