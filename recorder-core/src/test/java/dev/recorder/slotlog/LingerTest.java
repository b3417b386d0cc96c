package dev.recorder.slotlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** When slots are written, by traces of rows that come. Each slot has room for 50,000 rows. */
class LingerTest {
  private static final LingerRule A_SECOND = LingerRule.of(Duration.ofSeconds(1));
  private static final LingerRule NONE = LingerRule.of(Duration.ZERO);

  /** How much later than its time something may be: the next look, a read, a slot under way. */
  private static final double SOON = 0.1;

  @Test
  void aRowIsTakenWhenItHasLingeredFromTheReadThatSawIt() {
    List<ArrivalTrace.Taken> taken = ArrivalTrace.of(A_SECOND, LongStream.of(seconds(7)));

    assertThat(taken).hasSize(1);
    assertThat(taken.get(0).longestWait()).isBetween(1.0, 1 + SOON);
  }

  @Test
  void withoutLingerEachReadTakesWhatThereIs() {
    List<ArrivalTrace.Taken> taken = ArrivalTrace.of(NONE, steady(0, 10, 1_000));

    assertThat(taken).hasSizeGreaterThan(200);
    assertThat(longestWait(taken)).isLessThan(SOON);
  }

  @Test
  void aSteadyStreamBecomesASlotPerLinger() {
    List<ArrivalTrace.Taken> taken = ArrivalTrace.of(A_SECOND, steady(0, 100, 1_000));

    assertThat(taken).hasSizeBetween(95, 100);
    assertThat(longestWait(taken)).isLessThan(1 + SOON);
  }

  @Test
  void autoBoundsTheSlotsOfATrickleAndItsWaits() {
    List<ArrivalTrace.Taken> taken = ArrivalTrace.of(LingerRule.AUTO, steady(0, 3_600, 1));

    assertThat(taken).hasSizeLessThanOrEqualTo(361);
    assertThat(longestWait(taken)).isLessThan(10 + SOON);
  }

  @Test
  void autoWritesALoneRowSoon() {
    List<ArrivalTrace.Taken> taken =
        ArrivalTrace.of(
            LingerRule.AUTO, LongStream.range(1, 60).map(minute -> seconds(60 * minute)));

    assertThat(taken).hasSize(59);
    assertThat(longestWait(taken)).isLessThan(1 + SOON);
  }

  @Test
  void autoFillsSlotsAsWellAsTheRateAllowsWithinItsBound() {
    List<ArrivalTrace.Taken> slow = ArrivalTrace.of(LingerRule.AUTO, steady(0, 300, 1_000));
    assertThat(slow.subList(1, slow.size() - 1)).allMatch(slot -> slot.rows() > 9_500);
    assertThat(longestWait(slow)).isLessThan(10 + SOON);

    List<ArrivalTrace.Taken> fast = ArrivalTrace.of(LingerRule.AUTO, steady(0, 60, 20_000));
    List<ArrivalTrace.Taken> inTheStream = fast.subList(1, fast.size() - 1);
    assertThat(inTheStream).allMatch(slot -> slot.rows() == 50_000);
    assertThat(longestWait(inTheStream)).isLessThan(2.5 + SOON);
  }

  @Test
  void aBurstThatFillsSlotsWaitsForNothingAndItsRestForNoMoreThanTheBound() {
    LongStream bursts =
        LongStream.range(1, 20)
            .flatMap(n -> LongStream.range(0, 120_000).map(row -> seconds(30 * n)));

    List<ArrivalTrace.Taken> taken = ArrivalTrace.of(LingerRule.AUTO, bursts);

    assertThat(taken).hasSize(57);
    assertThat(taken.stream().filter(slot -> slot.rows() == 50_000))
        .hasSize(38)
        .allMatch(slot -> slot.longestWait() < SOON + 0.1);
    assertThat(longestWait(taken)).isLessThan(10 + SOON);
  }

  @Test
  void aRateThatChangesIsFollowedWithoutAWaitBeyondTheBound() {
    LongStream rows =
        LongStream.concat(
            LongStream.concat(steady(0, 100, 1), steady(100, 20, 20_000)), steady(120, 100, 1));

    List<ArrivalTrace.Taken> taken = ArrivalTrace.of(LingerRule.AUTO, rows);

    assertThat(taken).hasSizeLessThan(11 + 8 + 2 + 11);
    assertThat(longestWait(taken)).isLessThan(10 + SOON);
    assertThat(taken.stream().filter(slot -> slot.rows() == 50_000)).hasSizeGreaterThan(6);
  }

  private static double longestWait(List<ArrivalTrace.Taken> taken) {
    return taken.stream().mapToDouble(ArrivalTrace.Taken::longestWait).max().orElseThrow();
  }

  /** Rows at a rate per second, for some seconds from one on. */
  private static LongStream steady(long from, long seconds, long rate) {
    return LongStream.range(0, seconds * rate).map(n -> seconds(from) + n * seconds(1) / rate);
  }

  private static long seconds(long count) {
    return Duration.ofSeconds(count).toNanos();
  }
}
