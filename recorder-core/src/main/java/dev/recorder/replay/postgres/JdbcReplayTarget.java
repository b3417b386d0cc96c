package dev.recorder.replay.postgres;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.Sessions;
import dev.recorder.postgres.SqlConnections;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.Transaction;
import dev.recorder.postgres.sql.SqlFunction;
import dev.recorder.reader.LogSlot;
import dev.recorder.replay.ReplayException;
import dev.recorder.replay.ReplayException.ReplayErrorKind;
import dev.recorder.replay.ReplayNote;
import dev.recorder.replay.ReplayPosition;
import dev.recorder.replay.ReplayTarget;
import dev.recorder.replay.postgres.RejectedChanges.RejectionReason;
import dev.recorder.replay.postgres.StagedChanges.Barrier;
import dev.recorder.replay.postgres.StagedChanges.StagedTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A database into which a log is replayed, on a session of its own, which holds the lock that
 * excludes other replays of this log. Throws {@link ReplayException}, and {@link DatabaseException}
 * if the server does not answer or fails. For one thread.
 */
public final class JdbcReplayTarget implements ReplayTarget {
  private final Connection connection;
  private final ReplayMetadata books;
  private final TargetPrivileges rights;
  private final StagedChanges staged;
  private final TableDefinitions definitions;
  private final TableChanges changes;
  private final SnapshotKeys seen;
  private final TextFallback texts;
  private final SavepointAttempt attempt;
  private final SkippedTables aside;
  private final RejectedChanges unfit;
  private final List<ReplayNote> notes = new ArrayList<>();
  private long from;

  private JdbcReplayTarget(Connection connection, RecorderName recorder, UUID log, String order) {
    this.connection = connection;
    this.rights = new TargetPrivileges(connection);
    this.books = new ReplayMetadata(connection, rights, recorder, log);
    this.staged = new StagedChanges(connection, order);
    this.changes = new TableChanges(connection);
    this.seen = new SnapshotKeys(connection, notes);
    this.texts = new TextFallback(connection, seen, notes);
    this.definitions = new TableDefinitions(connection, books, texts, notes);
    this.attempt = new SavepointAttempt(connection);
    this.aside = new SkippedTables(connection, recorder, notes);
    this.unfit = new RejectedChanges(connection, notes);
  }

  /**
   * Opens the session and takes the lock. Creates nothing permanent before something is applied.
   *
   * @param log the log's UUID: a database with tables from another log is refused
   */
  public static JdbcReplayTarget open(Sessions sessions, RecorderName recorder, UUID log) {
    return open(sessions, recorder, log, StagedChanges.EFFECTS);
  }

  /** Opens a target that applies changes in another order, for tests. */
  static JdbcReplayTarget open(Sessions sessions, RecorderName recorder, UUID log, String order) {
    JdbcReplayTarget target = new JdbcReplayTarget(sessions.openReplay(), recorder, log, order);
    try {
      target.begin();
      return target;
    } catch (RuntimeException e) {
      target.close();
      throw e;
    }
  }

  private void begin() {
    ask(
        c -> {
          rights.checkBeginning();
          books.lock();
          staged.makeTables();
          return true;
        });
  }

  @Override
  public Optional<ReplayPosition> position() {
    Optional<ReplayPosition> position = ask(c -> books.position());
    from = position.map(ReplayPosition::nextSlot).orElse(0L);
    return position;
  }

  @Override
  public StagedRows stage(LogSlot slot) {
    return ask(
        c -> {
          try (Transaction transaction = Transaction.begin(c)) {
            StagedRows added = staged.add(slot);
            transaction.commit();
            return added;
          }
        });
  }

  @Override
  public List<ReplayNote> apply(ReplayPosition end) {
    return ask(
        c -> {
          staged.analyze();
          notes.clear();
          List<StagedTable> tables = staged.tables(end.nextSlot());
          rights.checkTables(
              tables.stream()
                  .filter(StagedTable::isSaid)
                  .map(table -> LoggedTable.parse(table.name()))
                  .flatMap(Optional::stream)
                  .toList());
          books.makeTables();
          try (Transaction transaction = Transaction.begin(c)) {
            for (StagedTable table : tables) {
              applyOrPassOver(table, end.nextSlot());
            }
            staged.removeUpTo(end.nextSlot());
            books.note(from, end);
            transaction.commit();
          }
          from = end.nextSlot();
          return List.copyOf(notes);
        });
  }

  private void applyOrPassOver(StagedTable staged, long end) {
    Optional<LoggedTable> table = LoggedTable.parse(staged.name());
    unfit.begin();
    if (table.isEmpty()) {
      unfit.add(RejectionReason.NAME, staged.changes());
      unfit.tell(staged.name());
      return;
    }
    try {
      aside.attempt(
          table.get(),
          () -> {
            applyTo(table.get(), end);
            unfit.tell(staged.name());
          });
    } catch (SQLException e) {
      throw failure("changes of " + staged.name(), e);
    }
  }

  /**
   * Applies a table's changes. Barriers, which change or empty the table itself, divide them into
   * ranges, and each range is applied at once.
   */
  private void applyTo(LoggedTable table, long end) throws SQLException {
    String name = table.toString();
    definitions.keep(table);
    EffectPosition place = EffectPosition.START;
    EffectPosition since = EffectPosition.START;
    for (Barrier barrier : staged.barriers(name, end)) {
      if (!barrier.removesAll()) {
        applyTo(table, new ChangeRange(name, end, since, place, barrier.place()));
      }
      place = barrier.place();
      since = pass(table, barrier, end) ? since : place;
    }
    applyTo(table, new ChangeRange(name, end, since, place, EffectPosition.END));
    definitions.leave(table);
  }

  private void applyTo(LoggedTable table, ChangeRange stretch) throws SQLException {
    boolean isDone = !changes.any(stretch);
    while (!isDone) {
      Optional<TableShape> said = definitions.said(table);
      if (said.isEmpty()) {
        unfit.add(RejectionReason.COLUMNS, changes.number(stretch));
        return;
      }
      TableShape shape = said.get();
      long[] lost = {0};
      Optional<SQLException> failure =
          attempt.failure(
              () -> {
                lost[0] = changes.apply(shape, stretch);
                seen.add(shape, stretch);
              });
      isDone = failure.isEmpty();
      if (isDone) {
        unfit.add(shape.hasKey() ? RejectionReason.KEY : RejectionReason.ROW, lost[0]);
      } else if (!unfit.remove(shape, stretch, failure.get())
          && !texts.makeUnreadable(shape, stretch, failure.get())) {
        throw failure.get();
      }
    }
  }

  /**
   * Applies a barrier. Returns whether the table's key is unchanged. If another column has taken
   * the name of a key column, the key has changed: values of the former column do not identify rows
   * by the new one.
   */
  private boolean pass(LoggedTable table, Barrier barrier, long end) throws SQLException {
    if (barrier.isSchema() && !SchemaChange.hasForm(connection, barrier.payload())) {
      unfit.add(RejectionReason.FORM, 1);
      return true;
    } else if (barrier.isSchema()) {
      Optional<TableShape> before = definitions.shape(table);
      if (before.isPresent()) {
        seen.end(before.get(), barrier.mark());
      }
      definitions.follow(table, barrier.payload());
      TableShape now = definitions.said(table).orElseThrow();
      seen.pass(
          before,
          now,
          barrier,
          new SnapshotKeys.EarlierChanges(
              new ChangeRange(table.toString(), end, EffectPosition.START, barrier.place()),
              staged.windowOf(barrier.place().slot())));
      return before.filter(was -> was.key().equals(now.key()) && now.hasKeyOf(was)).isPresent();
    }
    Optional<TableShape> shape = definitions.said(table);
    if (shape.isEmpty()) {
      unfit.add(RejectionReason.COLUMNS, 1);
    } else if (barrier.removesAll()) {
      definitions.empty(table);
    } else if (!new TruncatedPartition(connection, shape.get(), definitions.textsOf(shape.get()))
        .remove(barrier.where(), barrier.order())) {
      notes.add(keptRows(table, barrier.where()));
    }
    return true;
  }

  private static ReplayNote keptRows(LoggedTable table, String where) {
    return ReplayNote.incomplete(
        table.toString(),
        """
        a partition of %s was truncated, and its rows are still here: they are told by %s, which \
        this database cannot compare as the other did; a new snapshot of the table removes them\
        """
            .formatted(table, where));
  }

  private <T> T ask(SqlFunction<Connection, T> question) {
    try {
      return question.apply(connection);
    } catch (SQLException e) {
      throw failure("the target of the replay", e);
    }
  }

  private static final String NOT_NULL = "23502";

  private static RuntimeException failure(String of, SQLException e) {
    String what = of + ": " + DatabaseException.of(e).getMessage();
    if (SqlStates.isOutOfLocks(e)) {
      return new ReplayException(
          ReplayErrorKind.SETTING,
          """
          %s; the changes are of more tables than the target's server has locks for in one \
          transaction: raise its max_locks_per_transaction, restart it, and replay again\
          """
              .formatted(what));
    }
    if (!SavepointAttempt.isLasting(e) || SqlStates.kindOf(e) == DatabaseErrorKind.RIGHTS) {
      return new DatabaseException(SqlStates.kindOf(e), what, e);
    }
    if (NOT_NULL.equals(e.getSQLState())) {
      return new ReplayException(
          ReplayErrorKind.OTHERS,
          """
          %s; only columns of the key are NOT NULL after a replay: run ALTER TABLE … ALTER COLUMN … \
          DROP NOT NULL in the target, and replay again\
          """
              .formatted(what));
    }
    return new ReplayException(
        ReplayErrorKind.OTHERS,
        """
        %s; no replay makes what refuses this: what was added in the target (a constraint, an \
        index, a trigger, a view, a publication, a table that inherits it) stands in the way, so drop it and replay again\
        """
            .formatted(what));
  }

  @Override
  public void close() {
    SqlConnections.close(
        connection); // If that fails, the server ends the session, and with it the lock.
  }
}
