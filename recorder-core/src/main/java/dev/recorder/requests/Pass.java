package dev.recorder.requests;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * One pass of one worker through the table, from line 0 on: a state machine without a clock.
 *
 * <p>The line moves behind each row that was claimed or passed over, so that no claim reads again
 * what this pass has seen; docs/requests.md says what that saves, and why it is safe. A pass ends
 * after a while although there may be more rows: those that have come up below the line get their
 * turn in the next one. The dearer the way to the first row that can be worked on, past what is
 * settled but not yet removed and past entities that have to be left, the longer the pass.
 */
public final class Pass {
  /** At least so long, if there is work. */
  static final Duration SHORTEST = Duration.ofSeconds(1);

  /** At least so many times as long as the way to the first row. */
  static final int FIRST_ROWS = 20;

  /**
   * More entities are not remembered: claims look at further rows of theirs for nothing. The pass
   * goes on, else so many would keep it from ever coming to the rows behind them.
   */
  static final int MOST_PASSED_OVER = 200;

  private final long began;
  private final Set<String> passedOver = new LinkedHashSet<>();
  private long line;
  private long lasts = -1;
  private int settled;
  private boolean left;
  private boolean ended;

  /** How a pass ended. */
  public enum End {
    /** There was no row to be worked on, and no row that had to be passed over. */
    NOTHING_THERE,
    /** Nothing was settled, but there were rows that had to be left. */
    NOTHING_SETTLED,
    /** Something was settled: there may be more. */
    SOMETHING_SETTLED
  }

  /**
   * A pass that begins now.
   *
   * @param now in nanoseconds of a monotonic clock, as everywhere here
   */
  public Pass(long now) {
    this.began = now;
  }

  /** The next claim looks behind this id. */
  public long line() {
    return line;
  }

  /** Entities that the next claim leaves out. */
  public Set<String> passedOver() {
    return passedOver;
  }

  /** Whether a row has been claimed. */
  public boolean hasBegun() {
    return lasts >= 0;
  }

  /** Whether there is another claim to make. */
  public boolean goesOn() {
    return !ended;
  }

  /** Takes note of what a claim brought. */
  public void claimed(Claim claim, long now) {
    if (claim instanceof Claim.Nothing) {
      ended = true;
    } else if (claim instanceof Claim.PassedOver over) {
      left = true;
      line = Math.max(line, over.upTo());
      over.entities().forEach(this::remember);
    } else if (claim instanceof Claim.Begun begun) {
      line = Math.max(line, begun.id());
      if (lasts < 0) {
        lasts = Math.max(SHORTEST.toNanos(), FIRST_ROWS * (now - began));
      }
    }
  }

  /** Nothing can be done about this row and its entity in this pass. */
  public void passOver(long id, String entity) {
    left = true;
    line = Math.max(line, id);
    remember(entity);
  }

  private void remember(String entity) {
    if (passedOver.size() < MOST_PASSED_OVER) {
      passedOver.add(entity);
    }
  }

  /** A unit was settled. */
  public void settled(long now) {
    settled++;
    ended |= now - began >= lasts;
  }

  public End end() {
    if (settled > 0) {
      return End.SOMETHING_SETTLED;
    }
    return left ? End.NOTHING_SETTLED : End.NOTHING_THERE;
  }
}
