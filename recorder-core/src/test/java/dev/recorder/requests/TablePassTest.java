package dev.recorder.requests;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How one worker goes through the table once. */
class TablePassTest {
  private static final long BEGAN = Long.MAX_VALUE - 5;

  private long now = BEGAN;
  private final TablePass pass = new TablePass(BEGAN);

  @Test
  void beginsAtLineZeroWithNothingPassedOver() {
    assertThat(pass.line()).isZero();
    assertThat(pass.passedOver()).isEmpty();
    assertThat(pass.goesOn()).isTrue();
  }

  @Test
  void endsWhereThereIsNoRow() {
    pass.claimed(new Claim.Nothing(), now);
    assertThat(pass.goesOn()).isFalse();
    assertThat(pass.end()).isEqualTo(TablePass.End.NOTHING_THERE);
  }

  @Test
  void movesTheLineBehindWhatWasClaimed() {
    pass.claimed(begun(7), now);
    assertThat(pass.line()).isEqualTo(7);
    assertThat(pass.passedOver()).isEmpty();
    assertThat(pass.goesOn()).isTrue();
  }

  @Test
  void movesTheLineBehindWhatWasPassedOverAndLeavesItsEntityOut() {
    pass.claimed(new Claim.PassedOver(7, Set.of("x")), now);
    assertThat(pass.line()).isEqualTo(7);
    assertThat(pass.passedOver()).containsExactly("x");
    pass.claimed(new Claim.Nothing(), now);
    assertThat(pass.end()).isEqualTo(TablePass.End.NOTHING_SETTLED);
  }

  @Test
  void hasBegunOnceARowWasClaimedAndNotWhenSomeWerePassedOver() {
    pass.claimed(new Claim.PassedOver(7, Set.of()), now);
    assertThat(pass.hasBegun()).isFalse();
    pass.claimed(begun(8), now);
    assertThat(pass.hasBegun()).isTrue();
  }

  @Test
  void leavesAnEntityOutThatWasClaimedAndCouldNotBeWorkedOn() {
    pass.claimed(begun(7), now);
    pass.passOver(7, "e7");
    assertThat(pass.line()).isEqualTo(7);
    assertThat(pass.passedOver()).containsExactly("e7");
    pass.claimed(new Claim.Nothing(), now);
    assertThat(pass.end()).isEqualTo(TablePass.End.NOTHING_SETTLED);
  }

  /** Each would be followed by a search of all that waits behind it. */
  @Test
  void endsWithAPossiblePoisonMessage() {
    pass.claimed(new Claim.Begun(7, "e7", RequestType.UPDATE, 2, 1, new UUID(1, 7)), now);
    assertThat(pass.goesOn()).isTrue();
    pass.settled(now);
    assertThat(pass.goesOn()).isFalse();
    assertThat(pass.end()).isEqualTo(TablePass.End.SOMETHING_SETTLED);
  }

  @Test
  void tellsWhenSomethingWasSettled() {
    settle(7);
    pass.claimed(new Claim.PassedOver(8, Set.of("x")), now);
    pass.claimed(new Claim.Nothing(), now);
    assertThat(pass.end()).isEqualTo(TablePass.End.SOMETHING_SETTLED);
  }

  @Test
  void endsAfterASecondWithWorkThoughThereMayBeMore() {
    now += Duration.ofMillis(1).toNanos();
    settle(1);
    assertLasts(Duration.ofSeconds(1));
    assertThat(pass.end()).isEqualTo(TablePass.End.SOMETHING_SETTLED);
  }

  @Test
  void lastsTwentyTimesAsLongAsItTookToFindTheFirstRow() {
    now += Duration.ofMillis(200).toNanos();
    settle(1);
    assertLasts(Duration.ofSeconds(4));
  }

  @Test
  void countsWhatHadToBePassedOverAsPartOfTheWayToTheFirstRow() {
    for (int id = 1; id <= 100; id++) {
      now += Duration.ofMillis(2).toNanos();
      pass.claimed(new Claim.PassedOver(id, Set.of("x" + id)), now);
    }
    settle(101);
    assertLasts(Duration.ofSeconds(4));
  }

  @Test
  void goesOnBehindAnyNumberOfEntitiesThatCannotBeWorkedOn() {
    for (int id = 1; id <= 10_000; id++) {
      pass.claimed(new Claim.PassedOver(id, Set.of("x" + id)), now);
      assertThat(pass.goesOn()).isTrue();
      assertThat(pass.passedOver()).hasSizeLessThanOrEqualTo(TablePass.MOST_PASSED_OVER);
    }
    assertThat(pass.line()).isEqualTo(10_000);
    settle(10_001);
    assertThat(pass.end()).isEqualTo(TablePass.End.SOMETHING_SETTLED);
  }

  /** It goes on until then, and no longer. */
  private void assertLasts(Duration time) {
    now = BEGAN + time.toNanos() - 1;
    settle(1_002);
    assertThat(pass.goesOn()).isTrue();
    now++;
    settle(1_003);
    assertThat(pass.goesOn()).isFalse();
  }

  private void settle(long id) {
    pass.claimed(begun(id), now);
    pass.settled(now);
  }

  private static Claim.Begun begun(long id) {
    return new Claim.Begun(id, "e" + id, RequestType.CREATE, 1, 0, new UUID(0, id));
  }
}
