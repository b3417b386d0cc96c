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
 * Lets a log go on in a database that is not the one it was written from: whose rows were numbered
 * by another server, being dumped and restored, or replicated row by row; or that is reached by
 * another name; or one that meets a slot which another database has written. Only the first needs
 * other numbers: of the others all slots that are in the store are adopted, and the log is pinned
 * to this database.
 *
 * <p>Two numbers lie below all that a server gives to transactions of users. Every row that is
 * recorded gets {@value #RECORDED}, which no read comes by; every other row {@value
 * RowIdentity#WAITING}, and the position becomes the beginning of this server's history, so that
 * the next read finds those first, in the order of their ids. A transaction that began after
 * another had committed has higher ids, so the promised order holds; where ids were given out here
 * that lie before others', it is refused ({@link EarlyInserts}). Rows that applications insert
 * meanwhile carry this server's numbers and follow; nobody waits for a lock.
 *
 * <p>The old position says what is recorded, once all objects that the database does not know of
 * are adopted. That position means nothing for rows that were inserted here, and a row whose number
 * this server has given out may be one of them: of those, what the objects hold is recorded.
 *
 * <p>It takes a term and with it the recorder's lock, adopts slot by slot, and does the rest in one
 * transaction; interrupted anywhere, it can be run again. For one thread.
 */
public final class Rebase implements AutoCloseable {
  /** The number of rows that an object holds. */
  static final long RECORDED = 2;

  /** Longest wait for the answer to one statement; it may rewrite every row of the table. */
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
   * @param row the recorder's
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
   * What a rebase did, or would do.
   *
   * @param why what makes it necessary; empty if it is not, and then nothing was done
   * @param renumbers whether rows get other numbers; without, rows are not counted
   * @param adopted slots that were in the store and not settled in this database
   * @param lastSlot the last slot whose rows carry the other server's numbers
   * @param recorded rows in this database that were found to be in objects
   * @param waiting rows that come next
   * @param undecided of a dry run: rows of which only the objects can tell; among neither
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
   * What a rebase would do; changes nothing. Rows are counted before any adoption.
   *
   * @throws DatabaseException as {@link #run}, of what is seen without the lock
   */
  public Rebased preview() throws UnreadableSlotException {
    try {
      String why = need.any();
      if (why.isEmpty()) {
        return nothing(); // Else all of a large table would be counted, for nobody to read.
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
      if (slot == head.lastSlot()) { // Else rows that seem to wait may be in those objects.
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
   * Does it.
   *
   * @throws DatabaseException of kind BUSY if a machine holds the recorder, or a prepared
   *     transaction has to end first; RIGHTS with the SQL to run; UNUSABLE if the store is not this
   *     log's, or it cannot be told what is recorded, or in which order
   */
  public Rebased run() throws UnreadableSlotException {
    try {
      if (need.any().isEmpty()) {
        return nothing();
      }
      conditions.lock(connection);
      // Somebody else's rebase may have ended in between.
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

  /** All of it or nothing, on one snapshot: rows that come meanwhile keep their numbers. */
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

  /** Ends the session, and with it the lock. */
  @Override
  public void close() {
    SqlConnections.close(connection);
  }
}
