package dev.recorder.lock.postgres;

import dev.recorder.lock.TrackedLease;
import java.util.function.Function;

/**
 * What is particular to a lock that is a row: of all that {@link RowLocks} does, what its kind does
 * in its own way.
 *
 * @param take takes the row; like {@code create} it returns the token and how many milliseconds are
 *     left of its turn, or nothing if the lock cannot be taken
 * @param create makes the row, taken, if it is not there
 * @param giveBack run later if the answer to one of those is lost
 */
public record RowKind(
    Function<RowClaim, Command> take,
    Function<RowClaim, Command> create,
    Function<RowClaim, Command> giveBack,
    Keeping keeping) {
  /** What happens to a row that was taken. */
  @FunctionalInterface
  public interface Keeping {
    /**
     * Its lease.
     *
     * @param sentAt when the row was asked for
     */
    TrackedLease lease(TakenRow ours, long sentAt);
  }

  /**
   * The end of a statement that makes a row of {@code v}, which has the claim's values: not if it
   * is in {@code {rows}} already, nor if it cannot be taken once.
   */
  public static final String UNLESS_THERE =
      """
      WHERE coalesce(v.retries, 1) > 0
        AND NOT EXISTS (SELECT FROM {rows} t WHERE t.queue_id = v.queue_id AND t.id = v.id)
      ON CONFLICT DO NOTHING RETURNING {granted}
      """;
}
