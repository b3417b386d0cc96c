package dev.recorder.clearing.race;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recorder.clearing.race.Journal.Cleared;
import dev.recorder.clearing.race.Journal.Insert;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Leaf 3 has been emptied of block 3 twice, and of block 11: at 13, at 23 and at 33. */
class EmptiedTest {
  private final Emptied emptied =
      Emptied.of(
          List.of(
              new Cleared(3, 3, 10, 13, 15),
              new Cleared(3, 3, 20, 23, 25),
              new Cleared(3, 11, 30, 33, 35)));

  @Test
  void anInsertQueuesBeforeTruncateThatIsSentBehindTheCheckAndComesBackLater() {
    assertThat(emptied.hasQueuedBefore(new Insert(3, 3, 1, 21, 26))).isTrue();
    assertThat(emptied.hasQueuedBefore(new Insert(3, 3, 1, 19, 26))).isFalse();
    assertThat(emptied.hasQueuedBefore(new Insert(3, 3, 1, 21, 22))).isFalse();
    assertThat(emptied.hasQueuedBefore(new Insert(3, 3, 1, 24, 26))).isFalse();
    assertThat(emptied.hasQueuedBefore(new Insert(2, 2, 1, 21, 26))).isFalse();
  }

  @Test
  void anInsertComesIntoAnEmptiedLeafWhoseIdWasDrawnBeforeThat() {
    assertThat(emptied.hasComeBetween(new Insert(3, 3, 9, 16, 17))).isTrue();
    assertThat(emptied.hasComeBetween(new Insert(3, 3, 19, 26, 27))).isTrue();
    assertThat(emptied.hasComeBetween(new Insert(3, 3, 11, 17, 18))).isFalse();
    assertThat(emptied.hasComeBetween(new Insert(3, 3, 21, 40, 41))).isFalse();
    assertThat(emptied.hasComeBetween(new Insert(3, 19, 9, 40, 41))).isFalse();
  }

  /** As if each insert were compared with everything that was emptied. */
  @Test
  void oneComparisonSaysWhatAllOfThemWould() {
    SplittableRandom random = new SplittableRandom(4711);
    List<Cleared> cleared = new ArrayList<>();
    for (long now = 0; cleared.size() < 500; ) {
      long checked = now + 1 + random.nextInt(9);
      long truncates = checked + 1 + random.nextInt(9);
      now = truncates + 1 + random.nextInt(9);
      int leaf = random.nextInt(3);
      cleared.add(new Cleared(leaf, leaf + 8L * random.nextInt(40), checked, truncates, now));
    }
    Emptied all = Emptied.of(cleared);
    long last = cleared.get(cleared.size() - 1).done();
    int met = 0;

    for (int i = 0; i < 5_000; i++) {
      long drawn = random.nextLong(last);
      long sent = drawn + random.nextInt(200);
      int leaf = random.nextInt(4);
      long block = leaf + 8L * random.nextInt(40);
      Insert insert = new Insert(leaf, block, drawn, sent, sent + random.nextInt(20));
      boolean queued = cleared.stream().anyMatch(each -> queued(insert, each));
      boolean between = cleared.stream().anyMatch(each -> cameBetween(insert, each));

      assertThat(all.hasQueuedBefore(insert)).as("%s", insert).isEqualTo(queued);
      assertThat(all.hasComeBetween(insert)).as("%s", insert).isEqualTo(between);
      met += (queued ? 1 : 0) + (between ? 1 : 0);
    }
    assertThat(met).isGreaterThan(100);
  }

  private static boolean queued(Insert insert, Cleared leaf) {
    return leaf.leaf() == insert.leaf()
        && insert.sent() > leaf.checked()
        && insert.sent() < leaf.truncates()
        && insert.done() > leaf.truncates();
  }

  private static boolean cameBetween(Insert insert, Cleared leaf) {
    return leaf.block() == insert.block()
        && insert.drawn() < leaf.checked()
        && insert.sent() > leaf.done();
  }
}
