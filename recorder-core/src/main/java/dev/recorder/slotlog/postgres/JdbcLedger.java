package dev.recorder.slotlog.postgres;

import dev.recorder.handoff.DatabaseIdentity;
import dev.recorder.handoff.Position;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Term;
import dev.recorder.handoff.Window;
import dev.recorder.postgres.DataSession;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.Transaction;
import dev.recorder.postgres.pin.DatabasePin;
import dev.recorder.postgres.pin.PinnedDatabase;
import dev.recorder.postgres.sql.SqlFunction;
import dev.recorder.slotlog.Adoption;
import dev.recorder.slotlog.Effect;
import dev.recorder.slotlog.Event;
import dev.recorder.slotlog.Event.LedgerEvent;
import dev.recorder.slotlog.Ledger;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.slotlog.SlotContent;
import dev.recorder.slotlog.SlotReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The ledger of one term over PostgreSQL. Runs on its data session's thread.
 *
 * <p>Each statement's WHERE checks epoch, holder and last slot. So a session that was frozen for an
 * hour and then sends its statement changes nothing.
 */
public final class JdbcLedger implements Ledger {
  private final DataSession session;
  private final Term term;
  private final SlotStatements slots;
  private final PlannedSlots planned;
  private final HandoffReader handoff;
  private final IdentityAdoption identity;
  private final ForeignNumbers foreign;
  private final DatabasePin pin;
  private final LossQuery losses;
  private final RecorderName recorder;
  private final LedgerTrouble trouble;

  private static final DatabaseIdentity NO_DATABASE = new DatabaseIdentity("", 0, 0, 0);

  /** The session of the last load. Facts that were read on it may not hold on another session. */
  private volatile SlotContent.Origin loadedOn = new SlotContent.Origin("", NO_DATABASE);

  /**
   * Makes the ledger of {@code term}.
   *
   * @param source reads objects of the log, to adopt slots by row identity
   */
  public JdbcLedger(
      DataSession session,
      Term term,
      RecorderName recorder,
      HandoffReader.SlotForm form,
      SlotReader source) {
    this.session = session;
    this.term = term;
    this.slots = new SlotStatements(session.schemas(), term);
    this.planned = new PlannedSlots(session.schemas(), term.lockId());
    this.handoff = new HandoffReader(session.schemas(), recorder, term, form);
    this.identity = new IdentityAdoption(session.schemas(), recorder, term, source);
    this.foreign = new ForeignNumbers(session.schemas());
    this.pin = new DatabasePin(session.schemas());
    this.losses = new LossQuery(session.schemas(), recorder, term.lockId());
    this.recorder = recorder;
    this.trouble = new LedgerTrouble(session.schemas(), recorder);
  }

  @Override
  public LedgerEvent load() {
    handoff.isDoneWith(Long.MAX_VALUE);
    return answer(
        connection -> {
          PinnedDatabase database = pin.look(connection, term.lockId());
          loadedOn = new SlotContent.Origin(session.name(), database.here());
          Optional<LogHead> head = slots.head(connection);
          if (head.isEmpty()) {
            return new Event.NotOurs(
                "lock_recorders no longer names " + term.machine() + " with epoch " + term.epoch());
          }
          // Check at each load: this may be the first session with a restored server.
          String refusal = foreign.refusal(connection, term.lockId(), recorder);
          if (refusal.isEmpty()) {
            refusal = database.refusal(recorder);
          }
          if (!refusal.isEmpty()) {
            return new Event.DatabaseRefused(refusal);
          }
          pin.remember(connection, term.lockId(), database);
          return new Event.Loaded(head.get());
        });
  }

  /**
   * Returns the database that the last load reached, whatever its outcome; empty before the first.
   * For any thread.
   */
  public Optional<DatabaseIdentity> database() {
    DatabaseIdentity database = loadedOn.database();
    return database.equals(NO_DATABASE) ? Optional.empty() : Optional.of(database);
  }

  @Override
  public LedgerEvent read(Effect.Read read) {
    return answerWhereLoaded(connection -> handoff.read(connection, read, loadedOn));
  }

  @Override
  public LedgerEvent plan(SlotContent content) {
    return answerWhereLoaded(
        connection -> {
          if (!isOfThisSession(content)) {
            return otherSession(content);
          }
          SlotStatements.WrittenPlan written = slots.plan(connection, content);
          return written.held()
              ? new Event.Planned(earlier(connection, content, written))
              : new Event.Fenced();
        });
  }

  /**
   * Returns the window under which this content was planned before and not settled, if it is a
   * different window; otherwise null.
   */
  private @Nullable Window earlier(
      Connection connection, SlotContent content, SlotStatements.WrittenPlan written)
      throws SQLException {
    Window first = written.inserted() ? null : planned.window(connection, content);
    return content.window().equals(first) ? null : first;
  }

  @Override
  public LedgerEvent settle(Effect.Settle settle) {
    LedgerEvent event = settled(settle);
    if (event instanceof Event.Settled) {
      handoff.isDoneWith(settle.content().slot());
    }
    return event;
  }

  private LedgerEvent settled(Effect.Settle settle) {
    SlotContent content = settle.content();
    SlotContent next = settle.next();
    return answerWhereLoaded(
        connection -> {
          if (!isOfThisSession(content)) {
            return otherSession(content);
          }
          if (next == null) {
            return slots.settle(connection, content, settle.chain())
                ? new Event.Settled()
                : new Event.Fenced();
          }
          if (!isOfThisSession(next)) {
            return otherSession(next);
          }
          SlotStatements.WrittenPlan written =
              slots.settleAndPlan(connection, content, settle.chain(), next);
          return written.held()
              ? new Event.Settled(earlier(connection, next, written))
              : new Event.Fenced();
        });
  }

  @Override
  public LedgerEvent adopt(Effect.Adopt adopt) {
    ObjectMetadata object = adopt.object();
    LogHead head = adopt.head();
    handoff.isDoneWith(object.slot());
    return answerWhereLoaded(
        connection -> {
          Optional<Position> position = planned.position(connection, head, object.sha256());
          if (position.isEmpty() || loadedOn.database().isBefore(object.database())) {
            String another = losses.refusal(connection, object);
            return another.isEmpty()
                ? identity.adopt(connection, head, object)
                : new Event.DatabaseRefused(another);
          }
          LogHead adopted = head.adopting(object, position.get());
          return slots.advance(connection, head.lastSlot(), adopted)
              ? new Event.Adopted(adopted, Adoption.byWindow(object.rows()))
              : new Event.Fenced();
        });
  }

  @Override
  public void close() {
    handoff.close();
  }

  private boolean isOfThisSession(SlotContent content) {
    return content.origin().session().equals(session.name());
  }

  private static LedgerEvent otherSession(SlotContent content) {
    return new Event.DatabaseUnclear(
        "slot " + content.slot() + " was read on a session that has ended; reading it again");
  }

  /**
   * Runs {@code call} only on the session of the last load. Within one session there is one
   * history, so term and last slot identify the log's state. Between two sessions a failover may
   * have led to a server where the same term and slot mean another position.
   */
  private LedgerEvent answerWhereLoaded(SqlFunction<Connection, LedgerEvent> call) {
    return answer(
        connection ->
            session.name().equals(loadedOn.session())
                ? call.apply(connection)
                : new Event.DatabaseUnclear("the data session is a new one; loading again"));
  }

  private LedgerEvent answer(SqlFunction<Connection, LedgerEvent> call) {
    Connection connection = null;
    try {
      connection = session.connection();
      return call.apply(connection);
    } catch (SQLException e) {
      return new Event.DatabaseUnclear(afterFailure(connection, e), LedgerTrouble.isEverywhere(e));
    } catch (DatabaseException e) {
      return new Event.DatabaseUnclear(String.valueOf(e.getMessage()));
    }
  }

  /** Rolls back or aborts the session, and returns the reason of the failure. */
  private String afterFailure(@Nullable Connection connection, SQLException e) {
    try {
      if (connection != null && SqlStates.sessionSurvives(e)) {
        Transaction.end(connection);
        return trouble.of(connection, e);
      }
    } catch (SQLException broken) {
      // A session that cannot roll back is aborted below.
    }
    session.abort();
    return SqlStates.describe(e);
  }
}
