package dev.recorder.app.soak;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Draws one fault after the other, without end: the same seed gives the same faults. Each kind
 * comes once before any comes by chance. Not thread-safe.
 */
final class SoakPlan {
  private static final int CALM_PERCENT = 10;
  private static final int CLOSE_PERCENT = 20;
  private static final int AT_HOLDER_PERCENT = 70;
  private static final int EVIL_PERCENT = 15;

  private final Random random;
  private final int hosts;
  private final int recorders;
  private final List<FaultKind> kinds;
  private final Deque<FaultKind> firstOnes = new ArrayDeque<>();
  private final Deque<Drawn> drawn = new ArrayDeque<>();

  SoakPlan(long seed, int hosts, int recorders, Set<FaultKind> kinds) {
    this.kinds = kinds.stream().sorted().toList();
    this.random = new Random(seed);
    this.hosts = hosts;
    this.recorders = recorders;
    List<FaultKind> shuffled = new ArrayList<>(this.kinds);
    Collections.shuffle(shuffled, random);
    firstOnes.addAll(shuffled);
  }

  Drawn next() {
    if (drawn.isEmpty()) {
      if (chance(EVIL_PERCENT)) {
        drawTwo();
      } else {
        FaultKind kind = kind();
        drawn.add(fault(kind, false, gap(), lasts(kind), chance(AT_HOLDER_PERCENT)));
      }
    }
    return drawn.remove();
  }

  /**
   * The holder goes, and while its successor takes over that one is killed too; or the holder is
   * killed while its PUT is on its way, to arrive in the midst of its successor's.
   */
  private void drawTwo() {
    FaultKind first =
        switch (random.nextInt(5)) {
          case 0 -> FaultKind.FREEZE;
          case 1 -> FaultKind.CUT;
          case 2, 3 -> FaultKind.S3_LATE_PUT;
          default -> FaultKind.KILL;
        };
    // A hang is noticed after two seconds, a death at once.
    boolean hangs = first == FaultKind.FREEZE || first == FaultKind.CUT;
    Duration between = hangs ? millis(1_700, 3_500) : millis(100, 1_500);
    Drawn one = fault(first, true, gap(), millis(3_000, 6_000), true);
    Drawn two = fault(FaultKind.KILL, true, between, lasts(FaultKind.KILL), true);
    drawn.add(one);
    drawn.add(
        new Drawn(
            two.kind(),
            two.evil(),
            two.gap(),
            two.lasts(),
            one.recorder(),
            true,
            two.host(),
            two.share()));
  }

  private Drawn fault(
      FaultKind kind, boolean evil, Duration gap, Duration lasts, boolean atHolder) {
    return new Drawn(
        kind,
        evil,
        gap,
        lasts,
        random.nextInt(recorders),
        atHolder,
        random.nextInt(hosts),
        (20 + random.nextInt(81)) / 100.0);
  }

  private FaultKind kind() {
    FaultKind first = firstOnes.poll();
    if (first != null) {
      return first;
    }
    int ticket = random.nextInt(kinds.stream().mapToInt(FaultKind::tickets).sum());
    for (FaultKind kind : kinds) {
      ticket -= kind.tickets();
      if (ticket < 0) {
        return kind;
      }
    }
    throw new IllegalStateException("more tickets than kinds");
  }

  /** Mostly some seconds; now and then so close that faults meet, or a calm. */
  private Duration gap() {
    int draw = random.nextInt(100);
    if (draw < CLOSE_PERCENT) {
      return millis(100, 1_500);
    }
    return draw < 100 - CALM_PERCENT ? millis(2_000, 7_000) : millis(12_000, 20_000);
  }

  private Duration lasts(FaultKind kind) {
    return millis(kind.leastMillis(), kind.mostMillis());
  }

  private Duration millis(int least, int most) {
    return Duration.ofMillis(least + random.nextInt(most - least + 1));
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }
}
