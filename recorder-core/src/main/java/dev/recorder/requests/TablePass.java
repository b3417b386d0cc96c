package dev.recorder.requests;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * One pass of one worker through the table, from id 0 on: a state machine without a clock.
 *
 * <p>The line moves past each row that was claimed or skipped, so that no claim reads again what
 * this pass has seen; docs/requests.md says what that saves, and why it is safe. A pass ends after
 * some time even if there are more rows. Rows that became due below the line are claimed in the
 * next pass. The longer the search for the first claimable row, past settled rows and skipped
 * entities, the longer the pass. A possible poison message is the last unit of its pass: only the
 * first claim of a pass takes such messages, and further claims would search all rows behind it.
 */
public final class TablePass {
  /** The shortest pass that has settled something. */
  static final Duration SHORTEST = Duration.ofSeconds(1);

  /** The shortest pass, in multiples of the time to the first claim. */
  static final int FIRST_ROWS = 20;

  /**
   * The most skipped entities that a pass remembers. Claims look at rows of further entities in
   * vain. The pass still continues, since rows behind those entities must be reached.
   */
  static final int MOST_PASSED_OVER = 200;

  private final long began;
  private final Set<String> passedOver = new LinkedHashSet<>();
  private long line;
  private long lasts = -1;
  private int settled;
  private boolean left;
  private boolean isLast;
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
   * Begins a pass.
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
      isLast = begun.mayBePoison();
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
    ended |= isLast || now - began >= lasts;
  }

  public End end() {
    if (settled > 0) {
      return End.SOMETHING_SETTLED;
    }
    return left ? End.NOTHING_SETTLED : End.NOTHING_THERE;
  }
}
