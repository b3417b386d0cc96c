package dev.recorder.schema;

import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Term;
import dev.recorder.logging.LogEvent;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.Transaction;
import dev.recorder.postgres.holders.Blockers;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.SqlStatement;
import dev.recorder.postgres.sql.SqlTemplate;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives leaves to a log's table that an earlier version made, with one partition for all its rows,
 * which becomes the first leaf: all ids of such a table lie below 2^32. No row moves, and the table
 * itself stays what it is, with all that was granted on it, triggers, publications and its counter:
 * the leaves come into the place of its partition.
 *
 * <p>Three steps, each a transaction that can be repeated and that may be the last one for long: a
 * CHECK on the partition, for new rows; a proof that it holds for the old ones, beside producers;
 * the change, by catalog alone. The first and the last take a lock that producers wait for: not
 * before nobody is seen in the way, no longer than {@value #LOCK_MILLIS} ms until it is granted,
 * and {@value #WITHIN_MILLIS} ms in all. Each asks again whether the term lasts in which it is
 * done, the change once more right before it is committed: who was replaced leaves the rest to
 * others.
 *
 * <p>The proof may last for {@value #VALIDATE_HOURS} h. Ending the session ends it, too: the server
 * looks twice a second whether anybody is still there to be answered.
 */
public final class LeafUpgrade {
  private static final Logger log = LoggerFactory.getLogger(LeafUpgrade.class);

  /** How long producers may wait behind a request of ours. */
  private static final int LOCK_MILLIS = 40;

  /** The same with what is done then, except the commit. */
  private static final int WITHIN_MILLIS = 100;

  /** Some 300 GB. */
  private static final int VALIDATE_HOURS = 1;

  private static final Duration VALIDATE_WITHIN = Duration.ofHours(VALIDATE_HOURS);

  private static final String WITHOUT = "its table was made by an earlier version: ";
  private static final String CHECK_VIOLATION = "23514";

  /** Of a transaction that producers may wait for. */
  static final String SHORT = limits(LOCK_MILLIS, WITHIN_MILLIS);

  private final SchemaNames names;
  private final String table;
  private final LeafUpgradeSql sql;

  public LeafUpgrade(SchemaNames names, RecorderName recorder) {
    this.names = names;
    this.table = names.handoffTable(recorder);
    this.sql = new LeafUpgradeSql(names, recorder);
  }

  /**
   * How it went.
   *
   * @param trouble why the table has no leaves, in one sentence without its end; empty if it has
   * @param isFinal whether to try again makes no sense before somebody has done something
   */
  public record UpgradeOutcome(String trouble, boolean isFinal) {
    static final UpgradeOutcome DONE = new UpgradeOutcome("", false);

    static UpgradeOutcome notYet(String why) {
      return new UpgradeOutcome(WITHOUT + why, false);
    }

    static UpgradeOutcome never(String why) {
      return new UpgradeOutcome(WITHOUT + why, true);
    }
  }

  private record TableLook(
      boolean hasLeaves, boolean mayAlter, boolean isMarked, boolean isValid, String obstacle) {

    /** What is in the way whoever else uses the table; empty if nothing is. */
    String inTheWay() {
      return !obstacle.isEmpty() || mayAlter
          ? obstacle
          : "this role does not own it: let its owner run the output of 'recorder schema'";
    }
  }

  private Optional<TableLook> look(Connection connection) throws SQLException {
    try (SqlStatement statement = sql.look().on(connection)) {
      return statement.first(
          row ->
              new TableLook(
                  row.getBoolean(1),
                  row.getBoolean(2),
                  row.getBoolean(3),
                  row.getBoolean(4),
                  Optional.ofNullable(row.getString(5)).orElse("")));
    }
  }

  /**
   * Why a table has no leaves; changes nothing, and does not ask who uses it.
   *
   * @return one sentence without its end; empty if it has some, or there is no such table
   */
  public String standing(Connection connection) throws SQLException {
    TableLook look = look(connection).orElse(null);
    if (look == null || look.hasLeaves()) {
      return "";
    }
    return WITHOUT
        + (look.inTheWay().isEmpty()
            ? "the active machine gives it leaves if the file says history = 7d, or 0"
            : look.inTheWay());
  }

  /** A session, and what lets a step of a term's be done on it. */
  private record UpgradeTurn(Connection connection, TermFence fence) {}

  /** Goes on as far as is possible now, in a term; nothing if the table has leaves. */
  public UpgradeOutcome advance(Connection connection, Term term) throws SQLException {
    return advance(connection, new UpgradeTurn(connection, new TermFence(names, term)));
  }

  private UpgradeOutcome advance(Connection connection, UpgradeTurn turn) throws SQLException {
    TableLook look = look(connection).orElse(null);
    if (look == null) {
      return UpgradeOutcome.notYet("it is gone");
    } else if (look.hasLeaves()) {
      return UpgradeOutcome.DONE;
    } else if (!look.inTheWay().isEmpty()) {
      if (look.mayAlter() && look.isMarked()) {
        shortly(turn, sql.unmark());
      }
      return UpgradeOutcome.notYet(look.inTheWay());
    }
    // It does not wait for blockers: producers would wait with us, each time.
    String holder = Blockers.ofAnyLock(connection, List.of(table));
    if (!holder.isEmpty()) {
      return UpgradeOutcome.notYet("others use it" + holder);
    }
    UpgradeOutcome outcome = look.isMarked() ? UpgradeOutcome.DONE : shortly(turn, sql.mark());
    if (outcome.equals(UpgradeOutcome.DONE) && !look.isValid()) {
      outcome = validate(turn);
    }
    return outcome.equals(UpgradeOutcome.DONE) ? swap(turn) : outcome;
  }

  private UpgradeOutcome swap(UpgradeTurn turn) throws SQLException {
    UpgradeOutcome outcome = shortly(turn, sql.swap(turn.fence()));
    if (!outcome.equals(UpgradeOutcome.DONE)) {
      return outcome;
    } else if (!look(turn.connection()).map(TableLook::hasLeaves).orElse(false)) {
      return UpgradeOutcome.notYet("somebody else is changing it");
    }
    log.info(
        LogEvent.TABLE_HAS_LEAVES,
        "table {} has leaves now; what was its one partition is the first of them",
        table);
    return UpgradeOutcome.DONE;
  }

  /** A violated CHECK is taken back: it would keep out rows that the table could have before. */
  private UpgradeOutcome validate(UpgradeTurn turn) throws SQLException {
    Connection connection = turn.connection();
    int answerWithin = connection.getNetworkTimeout();
    connection.setNetworkTimeout(
        Runnable::run, Math.toIntExact(VALIDATE_WITHIN.plusMinutes(1).toMillis()));
    UpgradeOutcome outcome;
    try {
      outcome = run(turn, limits(2_000, VALIDATE_WITHIN.toMillis()), sql.validate());
    } finally {
      connection.setNetworkTimeout(Runnable::run, answerWithin);
    }
    if (!outcome.isFinal()) {
      return outcome;
    }
    UpgradeOutcome back = shortly(turn, sql.unmark());
    return new UpgradeOutcome(outcome.trouble(), back.equals(UpgradeOutcome.DONE));
  }

  private UpgradeOutcome shortly(UpgradeTurn turn, String step) throws SQLException {
    return run(turn, SHORT, step);
  }

  /** For one transaction. */
  private static String limits(int lockMillis, long withinMillis) {
    return SqlTemplate.fill(
        "SET LOCAL lock_timeout = {lock}; SET LOCAL statement_timeout = {within}",
        Map.of("lock", Integer.toString(lockMillis), "within", Long.toString(withinMillis)));
  }

  /** Sent with its COMMIT: who is frozen behind the change keeps nobody waiting. */
  private UpgradeOutcome run(UpgradeTurn turn, String limits, String step) throws SQLException {
    Connection connection = turn.connection();
    try (Transaction transaction = Transaction.begin(connection);
        Statement statement = connection.createStatement()) {
      statement.execute(String.join(";\n", limits, turn.fence().sql(), step, "COMMIT"));
      return UpgradeOutcome.DONE;
    } catch (SQLException e) {
      if (TermFence.OVER.equals(e.getSQLState())) {
        return UpgradeOutcome.notYet("the term is over");
      } else if (CHECK_VIOLATION.equals(e.getSQLState())) {
        return UpgradeOutcome.never(
            "it has rows with ids from 2^32 on, which belong to other leaves");
      }
      switch (SqlStates.kindOf(e)) {
        case BUSY -> {}
        case RIGHTS, FAILED -> {
          return UpgradeOutcome.never(SqlStates.describe(e));
        }
        default -> throw e;
      }
    }
    return UpgradeOutcome.notYet("others use it" + Blockers.ofAnyLock(connection, List.of(table)));
  }
}
