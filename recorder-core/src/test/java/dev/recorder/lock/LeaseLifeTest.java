package dev.recorder.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.lock.Loss.Cause;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Every state with everything that can happen to it. Moments are in nanoseconds. */
class LeaseLifeTest {
  private static final Duration VALIDITY = Duration.ofNanos(100);
  private static final Loss SEEN = new Loss(Cause.TAKEN_OVER, "another process has it");

  private static LeaseLife held() {
    return LeaseLife.granted(0, VALIDITY, Cause.LEASE_EXPIRED);
  }

  private static LeaseLife lost() {
    return held().ended(SEEN);
  }

  private static final List<LeaseLife> STATES =
      List.of(held(), held().doubted(1), lost(), held().released(1));

  private static final Map<String, UnaryOperator<LeaseLife>> EVENTS =
      Map.of(
          "look in time", life -> life.at(99),
          "look too late", life -> life.at(100),
          "confirmed in time", life -> life.confirmed(50, VALIDITY, 99),
          "confirmed too late", life -> life.confirmed(50, VALIDITY, 100),
          "doubted in time", life -> life.doubted(99),
          "doubted too late", life -> life.doubted(100),
          "seen gone", life -> life.ended(SEEN),
          "released in time", life -> life.released(99),
          "released too late", life -> life.released(100));

  /** Lines are events, columns states. */
  private static final String TABLE =
      """
                         | HELD                | IN_DOUBT            | LOST             | RELEASED
      confirmed in time  | HELD until 150      | HELD until 150      | LOST, taken over | RELEASED
      confirmed too late | LOST, lease expired | LOST, lease expired | LOST, taken over | RELEASED
      doubted in time    | IN_DOUBT until 100  | IN_DOUBT until 100  | LOST, taken over | RELEASED
      doubted too late   | LOST, lease expired | LOST, lease expired | LOST, taken over | RELEASED
      look in time       | HELD until 100      | IN_DOUBT until 100  | LOST, taken over | RELEASED
      look too late      | LOST, lease expired | LOST, lease expired | LOST, taken over | RELEASED
      released in time   | RELEASED            | RELEASED            | LOST, taken over | RELEASED
      released too late  | LOST, lease expired | LOST, lease expired | LOST, taken over | RELEASED
      seen gone          | LOST, taken over    | LOST, taken over    | LOST, taken over | RELEASED
      """;

  @Test
  void everyStateWithEveryEvent() {
    Map<String, List<String>> expected = new TreeMap<>();
    TABLE
        .lines()
        .skip(1)
        .map(line -> List.of(line.strip().split(" *\\| *")))
        .forEach(line -> expected.put(line.get(0), line.subList(1, line.size())));
    Map<String, List<String>> actual = new TreeMap<>();
    EVENTS.forEach(
        (event, change) ->
            actual.put(event, STATES.stream().map(change).map(LeaseLifeTest::shown).toList()));
    assertThat(STATES)
        .extracting(LeaseLife::state)
        .containsExactly(
            LeaseState.HELD, LeaseState.IN_DOUBT, LeaseState.LOST, LeaseState.RELEASED);
    assertThat(actual).isEqualTo(expected);
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
