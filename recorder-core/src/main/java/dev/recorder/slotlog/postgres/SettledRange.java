package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.Term;
import dev.recorder.postgres.DataSession;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The range of settled slots of a log, from its recorder's row.
 *
 * @param first the floor
 * @param last the last settled slot; 0 if there is none
 */
public record SettledRange(long first, long last) {
  private static final String RANGE =
      """
      SELECT first_slot, last_slot FROM {lock_recorders} WHERE lock_id = :lock AND epoch = :epoch
      """;

  /**
   * Reads the present range; empty if the term has ended. Call it on the session's thread.
   *
   * @throws DatabaseException if it could not be read
   */
  public static Optional<SettledRange> of(DataSession session, Term term) {
    try (SqlStatement statement = Sql.in(session.schemas(), RANGE).on(session.connection())) {
      return statement
          .set("lock", term.lockId())
          .set("epoch", term.epoch())
          .first(row -> new SettledRange(row.getLong(1), row.getLong(2)));
    } catch (SQLException e) {
      if (!SqlStates.sessionSurvives(e)) {
        session.abort();
      }
      throw DatabaseException.of(e);
    }
  }
}
