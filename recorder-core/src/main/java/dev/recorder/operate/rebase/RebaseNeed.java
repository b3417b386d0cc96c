package dev.recorder.operate.rebase;

import dev.recorder.handoff.RecorderName;
import dev.recorder.postgres.pin.DatabasePin;
import dev.recorder.postgres.sql.SchemaNames;
import dev.recorder.slotlog.LogHead;
import dev.recorder.slotlog.ObjectMetadata;
import dev.recorder.slotlog.postgres.ForeignNumbers;
import dev.recorder.slotlog.postgres.LossQuery;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** Determines why a log cannot continue in this database without a {@link Rebase}. */
final class RebaseNeed {
  private final Connection connection;
  private final RecorderName recorder;
  private final int lockId;
  private final RebaseObjects objects;
  private final ForeignNumbers foreign;
  private final DatabasePin pin;
  private final LossQuery losses;
  private final RebaseStatements statements;

  RebaseNeed(
      Connection connection,
      SchemaNames names,
      RecorderName recorder,
      int lockId,
      RebaseObjects objects) {
    this.connection = connection;
    this.recorder = recorder;
    this.lockId = lockId;
    this.objects = objects;
    this.foreign = new ForeignNumbers(names);
    this.pin = new DatabasePin(names);
    this.losses = new LossQuery(names, recorder, lockId);
    this.statements = new RebaseStatements(names, recorder, lockId);
  }

  /** Returns why rows need other numbers; empty if they do not. */
  String foreignNumbers() throws SQLException {
    return foreign.refusal(connection, lockId, recorder);
  }

  /**
   * Returns why a rebase is needed: for the rows' numbers, or since the log or its next slot
   * belongs to another database; empty if it is not needed.
   */
  String any() throws SQLException {
    String numbers = foreignNumbers();
    String another = numbers.isEmpty() ? pin.look(connection, lockId).refusal(recorder) : numbers;
    return another.isEmpty() ? ofNextSlot(statements.head(connection)) : another;
  }

  private String ofNextSlot(LogHead head) throws SQLException {
    Optional<ObjectMetadata> next = objects.look(head.lastSlot() + 1);
    return next.isPresent() ? losses.refusal(connection, next.get()) : "";
  }

  /** Pins the log to this database. */
  void pin() throws SQLException {
    pin.move(connection, lockId, pin.look(connection, lockId));
  }
}
