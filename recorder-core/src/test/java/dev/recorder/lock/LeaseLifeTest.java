package dev.recorder.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.lock.Loss.Cause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Every state with everything that can happen to it. Moments are in nanoseconds. */
class LeaseLifeTest {
  private static final Duration VALIDITY = Duration.ofNanos(100);
  private static final Loss SEEN = new Loss(Cause.TAKEN_OVER, "somebody else has it");

  private static LeaseLife held() {
    return LeaseLife.granted(0, VALIDITY, Cause.LEASE_EXPIRED);
  }

  private static LeaseLife lost() {
    return held().ended(SEEN);
  }

  private static final Map<String, LeaseLife> STATES =
      new TreeMap<>(
          Map.of(
              "HELD", held(),
              "IN_DOUBT", held().doubted(1),
              "LOST", lost(),
              "RELEASED", held().released(1)));

  private static final Map<String, UnaryOperator<LeaseLife>> EVENTS =
      new TreeMap<>(
          Map.of(
              "in time: look", life -> life.at(99),
              "too late: look", life -> life.at(100),
              "in time: confirmed", life -> life.confirmed(50, VALIDITY, 99),
              "too late: confirmed", life -> life.confirmed(50, VALIDITY, 100),
              "in time: doubted", life -> life.doubted(99),
              "too late: doubted", life -> life.doubted(100),
              "seen gone", life -> life.ended(SEEN),
              "in time: released", life -> life.released(99),
              "too late: released", life -> life.released(100)));

  @Test
  void everyStateWithEveryEvent() {
    List<String> table = new ArrayList<>();
    STATES.forEach(
        (state, life) ->
            EVENTS.forEach(
                (event, change) ->
                    table.add(state + " | " + event + " | " + shown(change.apply(life)))));
    assertThat(table)
        .containsExactly(
            "HELD | in time: confirmed | HELD until 150",
            "HELD | in time: doubted | IN_DOUBT until 100",
            "HELD | in time: look | HELD until 100",
            "HELD | in time: released | RELEASED",
            "HELD | seen gone | LOST, taken over",
            "HELD | too late: confirmed | LOST, lease expired",
            "HELD | too late: doubted | LOST, lease expired",
            "HELD | too late: look | LOST, lease expired",
            "HELD | too late: released | LOST, lease expired",
            "IN_DOUBT | in time: confirmed | HELD until 150",
            "IN_DOUBT | in time: doubted | IN_DOUBT until 100",
            "IN_DOUBT | in time: look | IN_DOUBT until 100",
            "IN_DOUBT | in time: released | RELEASED",
            "IN_DOUBT | seen gone | LOST, taken over",
            "IN_DOUBT | too late: confirmed | LOST, lease expired",
            "IN_DOUBT | too late: doubted | LOST, lease expired",
            "IN_DOUBT | too late: look | LOST, lease expired",
            "IN_DOUBT | too late: released | LOST, lease expired",
            "LOST | in time: confirmed | LOST, taken over",
            "LOST | in time: doubted | LOST, taken over",
            "LOST | in time: look | LOST, taken over",
            "LOST | in time: released | LOST, taken over",
            "LOST | seen gone | LOST, taken over",
            "LOST | too late: confirmed | LOST, taken over",
            "LOST | too late: doubted | LOST, taken over",
            "LOST | too late: look | LOST, taken over",
            "LOST | too late: released | LOST, taken over",
            "RELEASED | in time: confirmed | RELEASED",
            "RELEASED | in time: doubted | RELEASED",
            "RELEASED | in time: look | RELEASED",
            "RELEASED | in time: released | RELEASED",
            "RELEASED | seen gone | RELEASED",
            "RELEASED | too late: confirmed | RELEASED",
            "RELEASED | too late: doubted | RELEASED",
            "RELEASED | too late: look | RELEASED",
            "RELEASED | too late: released | RELEASED");
  }

  private static String shown(LeaseLife life) {
    Loss loss = life.loss();
    if (loss != null) {
      return life.state() + ", " + loss.toString().replaceFirst(":.*", "");
    }
    return life.state().isFinal()
        ? life.state().toString()
        : life.state() + " until " + life.until();
  }

  @Test
  void aConfirmationThatWasSentEarlierShortensNothing() {
    assertThat(held().confirmed(-20, VALIDITY, 10).until()).isEqualTo(100);
  }

  @Test
  void whatRemainsCountsFromBeforeTheRequestWasSent() {
    assertThat(LeaseLife.granted(30, VALIDITY, Cause.LEASE_EXPIRED).remaining(70))
        .isEqualTo(Duration.ofNanos(60));
    assertThat(lost().remaining(1)).isZero();
    assertThat(held().remaining(100)).isZero();
  }

  @Test
  void momentsMayWrapAround() {
    LeaseLife late = LeaseLife.granted(Long.MAX_VALUE - 10, VALIDITY, Cause.LEASE_EXPIRED);
    assertThat(late.at(Long.MIN_VALUE).state()).isEqualTo(LeaseState.HELD);
    assertThat(late.at(Long.MIN_VALUE + 100).state()).isEqualTo(LeaseState.LOST);
  }

  @Test
  void aTurnThatIsOverIsNotLost() {
    LeaseLife turn = LeaseLife.turn(0, VALIDITY);
    assertThat(turn.at(500).state()).isEqualTo(LeaseState.HELD);
    assertThat(turn.remaining(40)).isEqualTo(Duration.ofNanos(60));
    assertThat(turn.remaining(500)).isZero();
    assertThat(turn.released(500).state()).isEqualTo(LeaseState.RELEASED);
  }

  @Test
  void aLeaseWithoutLimitOutlivesItsProcess() {
    LeaseLife life = LeaseLife.granted(0, LeaseLife.UNLIMITED, Cause.LEASE_EXPIRED);
    assertThat(life.at(Duration.ofDays(30_000).toNanos()).state()).isEqualTo(LeaseState.HELD);
  }
}
