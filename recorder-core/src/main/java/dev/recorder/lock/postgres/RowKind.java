package dev.recorder.lock.postgres;

import dev.recorder.lock.TrackedLease;
import java.util.function.Function;

/**
 * The statements that distinguish a kind of row lock; {@link RowLocks} has the common part.
 *
 * @param take takes the row; like {@code create} it returns the token and the remaining
 *     milliseconds of its turn, or no row if the lock cannot be taken
 * @param create inserts the row as taken, if it does not exist
 * @param giveBack run later if the answer to {@code take} or {@code create} is lost
 */
public record RowKind(
    Function<RowAcquisition, Command> take,
    Function<RowAcquisition, Command> create,
    Function<RowAcquisition, Command> giveBack,
    LeaseFactory keeping) {
  /** Creates the lease of a taken row. */
  @FunctionalInterface
  public interface LeaseFactory {
    /**
     * Creates the lease.
     *
     * @param sentAt when the request for the row was sent
     */
    TrackedLease lease(AcquiredRow ours, long sentAt);
  }

  /**
   * The end of a statement that inserts {@code v}, the values of the attempt, unless the row
   * already exists in {@code {rows}} or allows no acquisition.
   */
  public static final String UNLESS_THERE =
      """
      WHERE coalesce(v.retries, 1) > 0
        AND NOT EXISTS (SELECT FROM {rows} t WHERE t.queue_id = v.queue_id AND t.id = v.id)
      ON CONFLICT DO NOTHING RETURNING {granted}
      """;
}
