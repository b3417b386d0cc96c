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
