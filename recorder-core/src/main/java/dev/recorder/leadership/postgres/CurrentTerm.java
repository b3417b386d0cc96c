package dev.recorder.leadership.postgres;

import dev.recorder.handoff.Term;
import dev.recorder.postgres.DataSession;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.sql.Sql;
import dev.recorder.postgres.sql.SqlStatement;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/**
 * Reads the term that a recorder's row names, whichever host holds it. The check whether this host
 * could continue the log reads as the holder of this term would, and writes nothing. Runs on its
 * data session's thread.
 */
public final class CurrentTerm {
  private static final String TERM =
      """
      SELECT epoch, coalesce(holder, ''), log_uuid FROM {lock_recorders} WHERE lock_id = :lock
      """;

  private CurrentTerm() {}

  /**
   * Returns the term; empty if there is no row. The host's name is empty if the recorder has no
   * holder.
   *
   * @throws DatabaseException if it could not be read
   */
  public static Optional<Term> of(DataSession session, int lockId) {
    try (SqlStatement statement = Sql.in(session.schemas(), TERM).on(session.connection())) {
      return statement
          .set("lock", lockId)
          .first(
              row ->
                  new Term(
                      lockId, row.getLong(1), row.getString(2), UUID.fromString(row.getString(3))));
    } catch (SQLException e) {
      if (!SqlStates.sessionSurvives(e)) {
        session.abort();
      }
      throw DatabaseException.of(e);
    }
  }
}
