package dev.recorder.capture.postgres;

import dev.recorder.capture.TableName;
import dev.recorder.capture.script.CaptureRemoval;
import dev.recorder.capture.script.TableScript;
import dev.recorder.logging.LogEvent;
import dev.recorder.postgres.DatabaseException;
import dev.recorder.postgres.DatabaseException.DatabaseErrorKind;
import dev.recorder.postgres.SqlStates;
import dev.recorder.postgres.Transaction;
import dev.recorder.postgres.holders.Blockers;
import dev.recorder.time.Pause;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Arms and disarms tables: creates or drops a capture's triggers. Each transaction needs a lock
 * that conflicts with writers, and writers queue up behind the waiting request. So each attempt
 * gives up within a second, lets the writers pass, and tries again, up to a fixed number of
 * attempts.
 */
final class Arming {
  private static final Logger log = LoggerFactory.getLogger(Arming.class);

  static final int ATTEMPTS = 10;
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Connection connection;
  private final int attempts;

  Arming(Connection connection, int attempts) {
    this.connection = connection;
    this.attempts = attempts;
  }

  /** Runs the statements in one transaction. If it throws, none of them has taken effect. */
  void run(TableName table, List<String> statements) throws InterruptedException {
    for (int attempt = 1; ; attempt++) {
      try {
        once(statements);
        return;
      } catch (SQLException e) {
        log.info(
            LogEvent.TABLE_IN_USE,
            "table {} is in use{}; trying again",
            table,
            inTheWay(table, attempt, e));
      }
      Pause.sleep(PAUSE);
    }
  }

  /**
   * Arms the partitions of a captured table, each in a transaction of its own. A partition that
   * stays in use does not prevent the arming of the rest.
   *
   * @throws DatabaseException with kind BUSY, naming the partitions that stayed in use
   */
  void each(TableScript script) throws InterruptedException {
    List<TableName> inUse = each(script, () -> true);
    if (!inUse.isEmpty()) {
      throw new DatabaseException(
          DatabaseErrorKind.BUSY,
          "%s is captured, but these partitions were in use each of %d times, and are not when they are written to themselves: %s; run it again later with --again"
              .formatted(script.rule().table(), attempts, listed(inUse)));
    }
  }

  /**
   * Arms partitions for as long as {@code goesOn} holds. Returns the partitions that stayed in use.
   */
  List<TableName> each(TableScript script, BooleanSupplier goesOn) throws InterruptedException {
    List<TableName> inUse = new ArrayList<>();
    for (TableName partition : script.relation().partitions()) {
      if (goesOn.getAsBoolean()) {
        runOrNote(partition, script.triggers().arming(partition), inUse);
      }
    }
    return inUse;
  }

  /**
   * Creates the row triggers of a partitioned table, which all of its partitions inherit at once.
   * Does nothing for other tables.
   *
   * @throws DatabaseException with kind BUSY, if the table or a partition stays in use
   */
  void rows(TableScript script) throws InterruptedException {
    if (script.relation().isPartitioned()) {
      TableName table = script.relation().name();
      run(table, script.rowTriggers().create(table));
    }
  }

  /**
   * Disarms tables that do not belong to the capture. If a table is in use, or the role may not
   * disarm it, its triggers remain, which do nothing.
   */
  void disarmStrays(TableScript script) throws InterruptedException {
    for (TableName stray : script.relation().strays()) {
      try {
        new Arming(connection, 1).run(stray, script.triggers().disarming(stray));
      } catch (DatabaseException e) {
        if (e.kind() != DatabaseErrorKind.BUSY && e.kind() != DatabaseErrorKind.RIGHTS) {
          throw e;
        }
        log.info(
            LogEvent.TRIGGERS_KEPT,
            "table {} keeps triggers of a capture that it does not belong to, and that do nothing: {}",
            stray,
            e.getMessage());
      }
    }
  }

  private void runOrNote(TableName table, List<String> statements, List<TableName> inUse)
      throws InterruptedException {
    try {
      run(table, statements);
    } catch (DatabaseException e) {
      if (e.kind() != DatabaseErrorKind.BUSY) {
        throw e;
      }
      inUse.add(table);
    }
  }

  /**
   * Disarms the tables of a capture, each in a transaction of its own. The first table must succeed
   * before any other is tried.
   *
   * @throws DatabaseException with kind BUSY, if a table stays in use; names such tables other than
   *     the first
   */
  void disarm(CaptureRemoval removal) throws InterruptedException {
    List<CaptureRemoval.RemovalStep> steps = removal.steps();
    run(steps.get(0).table(), steps.get(0).statements());
    List<TableName> inUse = new ArrayList<>();
    for (CaptureRemoval.RemovalStep step : steps.subList(1, steps.size())) {
      runOrNote(step.table(), step.statements(), inUse);
    }
    if (!inUse.isEmpty()) {
      throw new DatabaseException(
          DatabaseErrorKind.BUSY,
          "%s is captured no longer, but these partitions were in use each of %d times, and still are when they are written to themselves: %s; run it again later"
              .formatted(removal.rule().table(), attempts, listed(inUse)));
    }
  }

  private static String listed(List<TableName> tables) {
    return tables.stream().map(TableName::toString).collect(Collectors.joining(", "));
  }

  private String inTheWay(TableName table, int attempt, SQLException e) {
    try {
      if (SqlStates.kindOf(e) == DatabaseErrorKind.RIGHTS) {
        throw new DatabaseException(
            DatabaseErrorKind.RIGHTS,
            "%s: table %s stays as it was; let an administrator run %s"
                .formatted(SqlStates.describe(e), table, Captures.PRINTED),
            e);
      } else if (SqlStates.kindOf(e) != DatabaseErrorKind.BUSY) {
        throw DatabaseException.of(e);
      }
      String inTheWay = Blockers.ofAnyLock(connection, List.of(table.quoted()));
      if (attempt == attempts) {
        throw new DatabaseException(
            DatabaseErrorKind.BUSY,
            "table %s was in use each of %d times%s; it stays as it was: try again later"
                .formatted(table, attempts, inTheWay),
            e);
      }
      return inTheWay;
    } catch (SQLException broken) {
      throw DatabaseException.of(broken);
    }
  }

  private void once(List<String> statements) throws SQLException {
    try (Transaction transaction = Transaction.begin(connection);
        Statement statement = connection.createStatement()) {
      statement.setEscapeProcessing(false);
      for (String each : statements) {
        statement.execute(each);
      }
      transaction.commit();
    }
  }
}
