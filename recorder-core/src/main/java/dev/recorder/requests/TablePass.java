package dev.recorder.requests;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * One pass of one worker through the table, from id 0 on: a state machine without a clock.
 *
 * <p>The line moves past each row that was claimed or skipped, so that no claim reads again what
 * this pass has seen; docs/requests.md says what that saves, and why it is safe. A pass ends after
 * some time even if there are more rows: rows that have become due below the line get their turn in
 * the next one. The more expensive the way to the first row that can be claimed, past settled rows
 * and skipped entities, the longer the pass.
 */
public final class TablePass {
  /** Shortest pass, if there is work. */
  static final Duration SHORTEST = Duration.ofSeconds(1);

  /** Shortest pass, in multiples of the time to the first row. */
  static final int FIRST_ROWS = 20;

  /**
   * The most skipped entities to remember. Claims look at rows of further ones in vain. The pass
   * continues, since otherwise so many would keep it from the rows behind them.
   */
  static final int MOST_PASSED_OVER = 200;

  private final long began;
  private final Set<String> passedOver = new LinkedHashSet<>();
  private long line;
  private long lasts = -1;
  private int settled;
  private boolean left;
  private boolean ended;

  public enum End {
    /** There was no row to claim, and none was skipped. */
    NOTHING_THERE,
    /** Nothing was settled, and rows were skipped. */
    NOTHING_SETTLED,
    /** Something was settled, so there may be more. */
    SOMETHING_SETTLED
  }

  /**
   * A pass that begins now.
   *
   * @param now in nanoseconds of a monotonic clock, as in all methods
   */
  public TablePass(long now) {
    this.began = now;
  }

  /** The next claim looks above this id. */
  public long line() {
    return line;
  }

  /** The entities that the next claim skips. */
  public Set<String> passedOver() {
    return passedOver;
  }

  /** Whether a row has been claimed. */
  public boolean hasBegun() {
    return lasts >= 0;
  }

  public boolean goesOn() {
    return !ended;
  }

  /** Records the result of a claim. */
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

  /** Skips this row and its entity for the rest of the pass. */
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
