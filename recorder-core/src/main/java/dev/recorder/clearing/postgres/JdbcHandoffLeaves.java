package dev.recorder.clearing.postgres;

import dev.recorder.audit.HandoffRows;
import dev.recorder.audit.LogRecords;
import dev.recorder.audit.postgres.JdbcLogRecords;
import dev.recorder.clearing.ClearingPlan.Closed;
import dev.recorder.clearing.HandoffLeaves;
import dev.recorder.clearing.LeafContent;
import dev.recorder.clearing.SettledSlots;
import dev.recorder.clearing.TableState;
import dev.recorder.handoff.RecorderName;
import dev.recorder.handoff.Term;
import dev.recorder.postgres.DataSession;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.LockWaitDiagnosis;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.SqlConnections;
import dev.recorder.postgres.settings.SettingOverrides;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.postgres.sql.SqlFunction;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** Leaves over one session. After it has read rows, the session uses no indexes. */
public final class JdbcHandoffLeaves implements HandoffLeaves, AutoCloseable {
  private static final Duration READ_WITHIN = Duration.ofMinutes(1);

  /** The longest wait for a lock of a command that looks at leaves; it then reports the holder. */
  private static final Duration LOCK_WAIT = Duration.ofSeconds(5);

  private final Connection connection;
  private final SchemaNames schemas;
  private final RecorderName recorder;
  private final Term term;
  private final Leaves leaves;
  private final LeafTruncation truncation;
  private final OldBlocks oldBlocks;

  /**
   * Creates the leaves of a recorder's table.
   *
   * @param term in which the leaves may be changed
   */
  public JdbcHandoffLeaves(
      Connection connection, SchemaNames schemas, RecorderName recorder, Term term) {
    this.connection = connection;
    this.schemas = schemas;
    this.recorder = recorder;
    this.term = term;
    this.leaves = new Leaves(schemas, recorder, term);
    this.truncation = new LeafTruncation(schemas, term, leaves);
    this.oldBlocks = new OldBlocks(schemas, term);
  }

  /**
   * Creates leaves over a host's session, which is opened if necessary.
   *
   * @throws DatabaseException if the session cannot be opened
   */
  public static JdbcHandoffLeaves on(DataSession session, RecorderName recorder, Term term) {
    try {
      // Large rows take long to read, and no other work waits for them.
      SettingOverrides.limit(session.connection(), READ_WITHIN);
      session
          .connection()
          .setNetworkTimeout(Runnable::run, Math.toIntExact(2 * READ_WITHIN.toMillis()));
      return new JdbcHandoffLeaves(session.connection(), session.schemas(), recorder, term);
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }

  /** Creates leaves over a session of their own, to look at them. */
  public static JdbcHandoffLeaves open(Sessions sessions, RecorderName recorder, Term term) {
    return new JdbcHandoffLeaves(
        sessions.openForQueries(LOCK_WAIT), sessions.schemas(), recorder, term);
  }

  /** Ends the session. */
  @Override
  public void close() {
    SqlConnections.abort(connection);
  }

  @Override
  public Object session() {
    return connection;
  }

  @Override
  public TableState look() {
    return ask(leaves::look);
  }

  @Override
  public void noteBlock(long block) {
    ask(
        session -> {
          leaves.noteBlock(session, block);
          return block;
        });
  }

  @Override
  public boolean rotate(long block) {
    return ask(session -> leaves.rotate(session, block));
  }

  @Override
  public void mergeBlocks(long currentBlock) {
    ask(
        session -> {
          oldBlocks.merge(session, currentBlock);
          return currentBlock;
        });
  }

  @Override
  public String inUse(Closed leaf) {
    return ask(session -> truncation.inUse(session, leaf));
  }

  @Override
  public String heldBy(Closed leaf) {
    return ask(session -> truncation.heldBy(session, leaf));
  }

  @Override
  public LeafContent content(Closed leaf) {
    return ask(session -> truncation.content(session, leaf));
  }

  @Override
  public HandoffRows rows(Closed leaf) {
    return ask(session -> truncation.rows(session, leaf));
  }

  @Override
  public LogRecords records() {
    return new JdbcLogRecords(connection, schemas, recorder, term.lockId());
  }

  /** Returns the settled slots of the log, on this session. */
  public SettledSlots slots() {
    return new JdbcSettledSlots(connection, schemas, term);
  }

  @Override
  public String empty(Closed leaf, Proof proof) {
    return ask(session -> truncation.empty(session, leaf, proof));
  }

  @Override
  public Optional<String> troubleOfOne(RuntimeException failure) {
    return failure instanceof DatabaseException e && e.sessionSurvives()
        ? Optional.ofNullable(e.getMessage())
        : Optional.empty();
  }

  private <T> T ask(SqlFunction<Connection, T> asking) {
    try {
      return asking.apply(connection);
    } catch (SQLException e) {
      throw LockWaitDiagnosis.of(connection, e, schemas);
    }
  }
}
