package dev.recorder.postgres;

import dev.recorder.handoff.RecorderName;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A session of its own for looking at recorders from outside; changes nothing, holds no lock that
 * others wait for. Not thread-safe. Its methods throw {@link DatabaseException}.
 */
public final class Inspection implements AutoCloseable {
  private final Connection connection;
  private final SchemaNames schemas;
  private final StatusQueries queries;

  private Inspection(Connection connection, SchemaNames schemas) {
    this.connection = connection;
    this.schemas = schemas;
    this.queries = new StatusQueries(schemas);
  }

  /** Opens the session. */
  public static Inspection open(Sessions sessions) {
    return new Inspection(sessions.openForQueries(), sessions.schemas());
  }

  /** Version of the tables in the database; empty if there are none. */
  public Optional<Integer> schemaVersion() {
    return ask(queries::schemaVersion);
  }

  /**
   * All machines that ever registered, by name.
   *
   * @param freshWithin how old the heartbeat of a living machine may be
   */
  public List<MachineStatus> machines(Duration freshWithin) {
    return ask(c -> queries.machines(c, freshWithin));
  }

  /**
   * All recorders, by lockid.
   *
   * @param countUpTo where counting waiting rows stops
   */
  public List<RecorderStatus> recorders(int countUpTo) {
    return ask(c -> queries.recorders(c, countUpTo));
  }

  /** The latest changes of active machines, latest first. */
  public List<Takeover> takeovers(Optional<RecorderName> recorder, int limit) {
    return ask(c -> queries.takeovers(c, recorder, limit));
  }

  /** A recorder's row; empty if no machine has ever registered it. */
  public Optional<RecorderRow> recorder(RecorderName name) {
    return ask(c -> queries.recorder(c, name));
  }

  /** Which session holds the lock of {@code lockId}; empty if it is free. */
  public Optional<LockHolder> lockHolder(int lockId) {
    return ask(c -> queries.lockHolder(c, lockId));
  }

  /** Takes the lock of an id that no recorder has, and frees it; whether both went well. */
  public boolean tryLocks() {
    return ask(c -> queries.tryLocks(c));
  }

  /** What the verifier of {@code recorder}'s log asks; on this session. */
  public JdbcLogRecords records(RecorderName recorder, int lockId) {
    return new JdbcLogRecords(connection, schemas, recorder, lockId);
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException gone) {
      // What cannot be closed is gone already.
    }
  }

  @FunctionalInterface
  private interface Question<T> {
    T on(Connection connection) throws SQLException;
  }

  private <T> T ask(Question<T> question) {
    try {
      return question.on(connection);
    } catch (SQLException e) {
      throw DatabaseException.of(e);
    }
  }
}
