package dev.recorder.leadership;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BlockedStatementsTest {
  private static final ControlAction WATCH = new ControlAction.Watch();
  private static final Optional<Signal> TOLD = Optional.of(new Signal.Blocked("a lock"));

  private final BlockedStatements blocked = new BlockedStatements();

  @Test
  void isToldOfTheThirdTimeInARow() {
    assertThat(met(0)).isEmpty();
    assertThat(met(1)).isEmpty();
    assertThat(met(2)).isEqualTo(TOLD);
  }

  @Test
  void isNotToldWhereOneTimeInBetweenWentWell() {
    met(0);
    met(1);
    blocked.passed(WATCH);
    assertThat(met(2)).isEmpty();
  }

  @Test
  void anotherKindOfStatementDoesNotCount() {
    met(0);
    met(1);
    blocked.passed(new ControlAction.Release(1, 1, "why", null));
    assertThat(blocked.met(new ControlAction.Release(1, 1, "why", null), "a lock", 0)).isEmpty();
    assertThat(met(2)).isEqualTo(TOLD);
  }

  @Test
  void isToldOnceAMinuteWhileItLasts() {
    met(0);
    met(0);
    met(0);
    assertThat(met(59)).isEmpty();
    assertThat(met(60)).isEqualTo(TOLD);
    assertThat(met(61)).isEmpty();
  }

  private Optional<Signal> met(long seconds) {
    return blocked.met(WATCH, "a lock", Duration.ofSeconds(seconds).toNanos());
  }
}
