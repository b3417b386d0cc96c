package dev.recorder.operate.rebase;

import dev.recorder.handoff.RecordedLine;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Term;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.SqlConnections;
import dev.recorder.postgres.Transaction;
import dev.recorder.schema.RecorderRow;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.LogLayout;
import dev.recorder.slotlog.SlotReader.UnreadableSlotException;
import dev.recorder.slotlog.postgres.RowIdentity;
import dev.recorder.store.ObjectStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Lets a log continue in a database that is not the one it was written from. There are three cases:
 * another server numbered the rows (dump and restore, or replication row by row); the database is
 * reached by another name; or another database has written the log's next slot. Only the first case
 * needs new numbers. In the others, all slots in the store are adopted, and the log is pinned to
 * this database.
 *
 * <p>Two numbers are below all numbers that a server assigns to users' transactions. Every recorded
 * row gets {@value #RECORDED}, which no read returns. Every other row gets {@value
 * RowIdentity#WAITING}. The position becomes the beginning of this server's history, so the next
 * read returns the waiting rows first, in the order of their ids. A transaction that began after
 * another had committed has higher ids, so the promised order holds. If rows inserted here have
 * lower ids than transferred rows, the rebase is refused ({@link EarlyInserts}). Rows that
 * applications insert meanwhile carry this server's numbers and come later; applications wait for
 * no lock.
 *
 * <p>Once all objects that the database does not know are adopted, the old position decides which
 * transferred rows are recorded. The position has no meaning for rows that were inserted here. A
 * row with a number that this server may have assigned could be such a row; it counts as recorded
 * only if an object has it.
 *
 * <p>A rebase takes a term, and with it the recorder's lock, adopts slot by slot, and does the rest
 * in one transaction. After an interruption at any point it can be run again. For one thread.
 */
public final class Rebase implements AutoCloseable {
  /** The number of recorded rows. */
  static final long RECORDED = 2;

  /** Longest wait for the answer to a statement, which may rewrite every row of the table. */
  private static final Duration ANSWER_WITHIN = Duration.ofHours(12);

  private final Connection connection;
  private final RecorderName recorder;
  private final RebaseObjects objects;
  private final RebaseConditions conditions;
  private final RebaseStatements statements;
  private final ClearedElsewhere clearedElsewhere;
  private final EarlyInserts earlyInserts;
  private final LiftedLimits limits;
  private final RebaseNeed need;
  private final RebaseTerm terms;
  private final RebaseAdoption adoption;
  private final String holder;

  private Rebase(
      Connection connection,
      Sessions sessions,
      RecorderRow row,
      LogLayout layout,
      ObjectStore bucket)
      throws SQLException {
    connection.setNetworkTimeout(Runnable::run, Math.toIntExact(ANSWER_WITHIN.toMillis()));
    this.connection = connection;
    this.recorder = layout.recorder();
    this.objects = new RebaseObjects(bucket, layout, row.log());
    this.holder = "rebase on " + sessions.machine();
    this.conditions = new RebaseConditions(sessions.schemas(), recorder, row.lockId());
    this.statements = new RebaseStatements(sessions.schemas(), recorder, row.lockId());
    this.clearedElsewhere = new ClearedElsewhere(sessions.schemas(), recorder, row.lockId());
    this.earlyInserts = new EarlyInserts(sessions.schemas(), recorder, row.lockId());
    this.limits = new LiftedLimits(sessions.schemas(), recorder);
    this.need = new RebaseNeed(connection, sessions.schemas(), recorder, row.lockId(), objects);
    this.terms = new RebaseTerm(sessions.schemas(), row.lockId());
    this.adoption = new RebaseAdoption(connection, sessions.schemas(), recorder, objects);
  }

  /**
   * Opens the session.
   *
   * @param row the recorder's row
   */
  public static Rebase open(
      Sessions sessions, RecorderRow row, LogLayout layout, ObjectStore bucket) {
    Connection connection = sessions.openForQueries();
    try {
      return new Rebase(connection, sessions, row, layout, bucket);
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  /**
   * The result of a rebase, or of a dry run.
   *
   * @param why the reason for the rebase; empty if it was not needed and nothing was done
   * @param renumbers whether rows get other numbers; if not, rows are not counted
   * @param adopted number of slots that were in the store and not settled in this database
   * @param lastSlot the last slot whose rows carry the other server's numbers
   * @param recorded number of rows in this database that are in objects
   * @param waiting number of rows that will be recorded next
   * @param undecided number of rows, in a dry run, that only the objects can decide; counted in
   *     neither of the others
   */
  public record Rebased(
      String why,
      boolean renumbers,
      long adopted,
      long lastSlot,
      long recorded,
      long waiting,
      long undecided) {
    public boolean isNeeded() {
      return !why.isEmpty();
    }
  }

  /**
   * Returns what a rebase would do; changes nothing. Rows are counted as before any adoption.
   *
   * @throws DatabaseException as {@link #run}, for conditions that can be seen without the lock
   */
  public Rebased preview() throws UnreadableSlotException {
    try {
      String why = need.any();
      if (why.isEmpty()) {
        return nothing(); // Saves a useless count of a large table.
      }
      boolean renumbers = !need.foreignNumbers().isEmpty();
      LogHead head = statements.head(connection);
      objects.check(head);
      if (renumbers) {
        conditions.check(connection);
        clearedElsewhere.requireNone(connection);
      } else {
        conditions.hasCaptureSequence(connection);
      }
      long slot = head.lastSlot();
      while (objects.look(slot + 1).isPresent()) {
        slot++;
      }
      if (!renumbers) {
        return new Rebased(why, false, slot - head.lastSlot(), slot, 0, 0, 0);
      }
      if (slot == head.lastSlot()) { // Otherwise rows that seem to wait may be in those objects.
        earlyInserts.requireNone(connection, false);
      }
      RebaseStatements.Counts counts = statements.count(connection);
      return new Rebased(
          why,
          true,
          slot - head.lastSlot(),
          slot,
          counts.recorded(),
          counts.waiting(),
          counts.undecided());
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  /**
   * Runs the rebase, if it is needed.
   *
   * @throws DatabaseException of kind BUSY if a host holds the recorder, or a prepared transaction
   *     has to end first; RIGHTS with the SQL to run; UNUSABLE if the store does not hold this log,
   *     or if it cannot be determined which rows are recorded, or their order
   */
  public Rebased run() throws UnreadableSlotException {
    try {
      if (need.any().isEmpty()) {
        return nothing();
      }
      conditions.lock(connection);
      // Another rebase may have ended in between.
      String why = need.any();
      if (why.isEmpty()) {
        return nothing();
      }
      return need.foreignNumbers().isEmpty() ? goOn(why) : run(why);
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  private Rebased nothing() throws SQLException {
    return new Rebased("", false, 0, statements.head(connection).lastSlot(), 0, 0, 0);
  }

  private Rebased goOn(String why) throws SQLException {
    conditions.checkGoingOn(connection);
    LogHead before = statements.head(connection);
    objects.check(before);
    conditions.moveCaptureSequence(connection);
    Term term = terms.begin(connection, holder, why);
    LogHead head = adoption.adopt(term, before);
    need.pin();
    if (!terms.goOn(connection, term, head)) {
      throw RebaseTerm.fenced(recorder);
    }
    return new Rebased(why, false, head.lastSlot() - before.lastSlot(), head.lastSlot(), 0, 0, 0);
  }

  private Rebased run(String why) throws SQLException, UnreadableSlotException {
    conditions.check(connection);
    clearedElsewhere.requireNone(connection);
    objects.check(statements.head(connection));
    conditions.moveCaptureSequence(connection);
    try (LiftedLimits.Lifting limitsAreLifted = limits.lift(connection)) {
      return moved(why);
    }
  }

  private Rebased moved(String why) throws SQLException, UnreadableSlotException {
    Term term = terms.begin(connection, holder, why);
    LogHead before = statements.head(connection);
    LogHead head = adoption.adopt(term, before);
    need.pin();
    RebaseStatements.Counts counts = renumber(term, head);
    return new Rebased(
        why,
        true,
        head.lastSlot() - before.lastSlot(),
        head.lastSlot(),
        counts.recorded(),
        counts.waiting(),
        0);
  }

  /**
   * Renumbers all rows in one transaction and one snapshot; rows inserted meanwhile keep their
   * numbers.
   */
  private RebaseStatements.Counts renumber(Term term, LogHead head)
      throws SQLException, UnreadableSlotException {
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    try (Transaction transaction = Transaction.begin(connection)) {
      long before = 0;
      List<Long> absent = new ArrayList<>();
      if (statements.count(connection).undecided() > 0) {
        for (long slot : statements.slotsToCompare(connection)) {
          before += compare(slot, head, absent);
        }
        statements.requireDecided(connection, absent);
      }
      earlyInserts.requireNone(connection, true);
      RebaseStatements.Counts counts = statements.renumberRest(connection).plusRecorded(before);
      if (!terms.beginAnew(connection, term, head, counts)) {
        throw RebaseTerm.fenced(recorder);
      }
      transaction.commit();
      return counts;
    }
  }

  private long compare(long slot, LogHead head, List<Long> absent)
      throws SQLException, UnreadableSlotException {
    Optional<List<RecordedLine>> object = objects.lines(slot, head);
    if (object.isEmpty()) {
      absent.add(slot);
      return 0;
    }
    long renumbered = 0;
    List<RecordedLine> lines = object.get();
    for (int from = 0; from < lines.size(); from += RowIdentity.CHUNK) {
      int to = Math.min(from + RowIdentity.CHUNK, lines.size());
      renumbered += statements.renumberMatching(connection, lines.subList(from, to));
    }
    return renumbered;
  }

  /** Ends the session, which frees the lock. */
  @Override
  public void close() {
    SqlConnections.close(connection);
  }
}
