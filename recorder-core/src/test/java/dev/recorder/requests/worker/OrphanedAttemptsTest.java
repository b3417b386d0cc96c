package dev.recorder.requests.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recorder.postgres.DatabaseException;
import dev.recorder.requests.Attempt;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class OrphanedAttemptsTest {
  private static final Attempt ONE = Attempt.behind(0, new UUID(0, 1));
  private static final Attempt OTHER = Attempt.behind(0, new UUID(0, 2));

  private long now;
  private final OrphanedAttempts lost = new OrphanedAttempts(() -> now);

  @Test
  void oneThatMayBeOnItsWayIsLookedForUntilItCannotBeAnyMore() {
    lost.add(List.of(ONE));
    assertThat(disowned(any -> true)).containsExactly(ONE);
    now += OrphanedAttempts.ON_ITS_WAY.toNanos() - 1;
    assertThat(disowned(any -> true)).containsExactly(ONE);
    now += 1;
    assertThat(disowned(any -> true)).containsExactly(ONE);
    assertThat(disowned(any -> true)).isEmpty();
  }

  @Test
  void oneWhoseRowSomebodyHasLockedIsLookedForUntilItIsFree() {
    lost.add(List.of(ONE));
    now += 100 * OrphanedAttempts.ON_ITS_WAY.toNanos();
    assertThat(disowned(any -> false)).containsExactly(ONE);
    assertThat(disowned(any -> false)).containsExactly(ONE);
    assertThat(disowned(any -> true)).containsExactly(ONE);
    assertThat(disowned(any -> true)).isEmpty();
  }

  @Test
  void eachHasItsOwnTime() {
    lost.add(List.of(ONE));
    now += 1;
    lost.add(List.of(OTHER));
    now += OrphanedAttempts.ON_ITS_WAY.toNanos() - 1;
    assertThat(disowned(any -> true)).containsExactly(ONE, OTHER);
    assertThat(disowned(any -> true)).containsExactly(OTHER);
    now += 1;
    assertThat(disowned(any -> true)).containsExactly(OTHER);
    assertThat(disowned(any -> true)).isEmpty();
  }

  @Test
  void noneIsForgottenBecauseTheNextSessionIsLostToo() {
    lost.add(List.of(ONE, OTHER));
    now += OrphanedAttempts.ON_ITS_WAY.toNanos();
    DatabaseException gone =
        new DatabaseException(
            DatabaseException.DatabaseErrorKind.UNREACHABLE, "gone while it was asked");
    assertThatThrownBy(
            () ->
                lost.disown(
                    attempt -> {
                      throw gone;
                    }))
        .isSameAs(gone);
    assertThat(disowned(any -> true)).containsExactly(ONE, OTHER);
  }

  @Test
  void whatEndsEachOfItsSessionsIsForgivenThreeTimesInARow() {
    for (int again = 1; again <= OrphanedAttempts.FORGIVEN + 2; again++) {
      Attempt attempt = new Attempt(new UUID(0, again), 41, true);
      lost.lost(List.of(attempt));
      boolean forgiven = again <= OrphanedAttempts.FORGIVEN;
      assertThat(disowned(any -> true)).as("loss %d", again).hasSize(forgiven ? 1 : 0);
      now += OrphanedAttempts.ON_ITS_WAY.toNanos();
      disowned(any -> true);
    }
    Attempt another = new Attempt(new UUID(0, 9), 42, true);
    lost.lost(List.of(another, ONE));
    assertThat(disowned(any -> true)).containsExactly(another, ONE);

    now += OrphanedAttempts.IN_A_ROW.toNanos() + 1;
    disowned(any -> true);
    Attempt later = new Attempt(new UUID(0, 10), 41, true);
    lost.lost(List.of(later));
    assertThat(disowned(any -> true)).containsExactly(later);
  }

  @Test
  void thereIsABoundToHowManyAreKept() {
    for (int i = 0; i < OrphanedAttempts.MOST; i++) {
      lost.add(List.of(ONE));
    }
    lost.add(List.of(OTHER));
    assertThat(disowned(any -> true)).hasSize(OrphanedAttempts.MOST).doesNotContain(OTHER);
  }

  /** Those that were looked for. */
  private List<Attempt> disowned(Predicate<Attempt> queue) {
    List<Attempt> asked = new ArrayList<>();
    lost.disown(
        attempt -> {
          asked.add(attempt);
          return queue.test(attempt);
        });
    return asked;
  }
}
