package dev.recorder.lock.postgres;

import dev.recorder.lock.TrackedLease;
import java.util.function.Function;

/**
 * What a kind of row lock does differently; {@link RowLocks} does the rest.
 *
 * @param take takes the row; like {@code create} it returns the token and the milliseconds left of
 *     its turn, or nothing if the lock cannot be taken
 * @param create makes the row, taken, if it does not exist
 * @param giveBack run later if the answer to one of those is lost
 */
public record RowKind(
    Function<RowAcquisition, Command> take,
    Function<RowAcquisition, Command> create,
    Function<RowAcquisition, Command> giveBack,
    LeaseFactory keeping) {
  /** Makes the lease of a taken row. */
  @FunctionalInterface
  public interface LeaseFactory {
    /**
     * Makes the lease.
     *
     * @param sentAt when the request for the row was sent
     */
    TrackedLease lease(AcquiredRow ours, long sentAt);
  }

  /**
   * The end of a statement that inserts {@code v}, which has the claim's values, unless the row is
   * in {@code {rows}} already or allows no acquisition.
   */
  public static final String UNLESS_THERE =
      """
      WHERE coalesce(v.retries, 1) > 0
        AND NOT EXISTS (SELECT FROM {rows} t WHERE t.queue_id = v.queue_id AND t.id = v.id)
      ON CONFLICT DO NOTHING RETURNING {granted}
      """;
}
