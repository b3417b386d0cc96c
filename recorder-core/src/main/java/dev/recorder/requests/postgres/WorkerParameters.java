package dev.recorder.requests.postgres;

import dev.recorder.postgres.sql.SqlArrays;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.requests.Attempt;
import dev.recorder.requests.Claim;
import java.sql.SQLException;
import java.util.Collection;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Sets the parameters that several statements of a worker share.
 *
 * @param seed of the advisory locks on entities
 */
record WorkerParameters(String machine, long seed) {
  /** After a lost answer, the most rows that are searched for attempts that may have begun. */
  private static final int MOST_DISOWNED = 10_000;

  private static final int LONGEST_TEXT = 10_000;

  /** Sets the parameters of any claim. */
  SqlStatement claim(SqlStatement statement, UUID process) throws SQLException {
    return statement.set("attempt", process.toString()).set("machine", machine).set("seed", seed);
  }

  SqlStatement letGo(SqlStatement statement, String entity) throws SQLException {
    return statement.set("entity", entity).set("seed", seed);
  }

  /** Sets the parameters to settle these requests as complete, and to unlock the entity. */
  void complete(SqlStatement statement, Claim.Begun begun, Collection<Long> ids)
      throws SQLException {
    letGo(statement, begun.entity())
        .set("process", begun.process().toString())
        .set("begun", begun.id())
        .set("complete", SqlArrays.of(ids));
  }

  SqlStatement disown(SqlStatement statement, Attempt attempt) throws SQLException {
    return statement
        .set("line", attempt.line())
        .set("looks", attempt.known() ? 1 : MOST_DISOWNED)
        .set("machine", machine)
        .set("process", attempt.process().toString());
  }

  /** Shortens a message, which may quote a whole payload. */
  static String text(@Nullable String why) {
    String given = String.valueOf(why);
    return given.substring(0, Math.min(given.length(), LONGEST_TEXT)).replace('\0', ' ');
  }
}
