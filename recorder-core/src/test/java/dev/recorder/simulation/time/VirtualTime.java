package dev.recorder.simulation.time;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Time that stands still between steps: everything that happens is a step that falls due.
 *
 * <p>Steps that fall due within {@code jumble} of each other happen in an order of chance: latency
 * alone would let too few of the possible orders be seen.
 */
public final class VirtualTime {
  private static final int JUMBLED = 6;

  private final PriorityQueue<Step> waiting =
      new PriorityQueue<>(Comparator.comparingLong(Step::at).thenComparingLong(Step::order));
  private final Trace trace;
  private final Chance chance;
  private final long jumble;
  private long now;
  private long order;
  private long taken;

  public VirtualTime(Trace trace, Chance chance, long jumbleNanos) {
    this.trace = trace;
    this.chance = chance;
    this.jumble = jumbleNanos;
  }

  /** Something that will happen, unless it is cancelled. */
  public static final class Step {
    private final long at;
    private final long order;
    private final String what;
    private final Runnable action;
    private boolean cancelled;

    private Step(long at, long order, String what, Runnable action) {
      this.at = at;
      this.order = order;
      this.what = what;
      this.action = action;
    }

    private long at() {
      return at;
    }

    private long order() {
      return order;
    }

    public void cancel() {
      cancelled = true;
    }
  }

  public Step after(long delayNanos, String what, Runnable action) {
    Step step = new Step(now + Math.max(delayNanos, 0), order++, what, action);
    waiting.add(step);
    return step;
  }

  /** Takes the next step if it falls due by {@code until}; otherwise it is {@code until}. */
  public boolean step(long until) {
    Step step = next(until);
    if (step == null) {
      now = Math.max(now, until);
      return false;
    }
    now = Math.max(now, step.at);
    taken++;
    trace.add(now, step.what);
    step.action.run();
    return true;
  }

  private @Nullable Step next(long until) {
    dropCancelled();
    Step first = waiting.peek();
    if (first == null || first.at > until) {
      return null;
    }
    List<Step> due = new ArrayList<>();
    while (first != null && due.size() < JUMBLED && first.at <= due(due, first) + jumble) {
      due.add(waiting.remove());
      dropCancelled();
      first = waiting.peek();
    }
    Step chosen = due.size() == 1 ? due.get(0) : chance.pick(due);
    due.remove(chosen);
    waiting.addAll(due);
    return chosen;
  }

  private static long due(List<Step> due, Step first) {
    return due.isEmpty() ? first.at : due.get(0).at;
  }

  private void dropCancelled() {
    for (Step step = waiting.peek(); step != null && step.cancelled; step = waiting.peek()) {
      waiting.remove();
    }
  }

  public long now() {
    return now;
  }

  public long stepsTaken() {
    return taken;
  }

  public void note(String what) {
    trace.add(now, "    " + what);
  }
}
