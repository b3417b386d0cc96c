package dev.recorder.replay;

import dev.recorder.reader.LogSlot;
import java.util.List;
import java.util.Optional;

/**
 * A database in which tables are rebuilt from one log; no other session replays the log while it is
 * open. For one thread. Throws {@link ReplayException}, or the adapter's exceptions for failures of
 * the database.
 */
public interface ReplayTarget extends AutoCloseable {
  /**
   * Returns the position of the last replay of the log into this database; empty if there was none.
   */
  Optional<ReplayPosition> position();

  /**
   * Stages a slot's changes. They are not visible yet, and are dropped if the target is closed
   * before they are applied. They are not held in this process's memory.
   */
  StagedRows stage(LogSlot slot);

  /**
   * The staged rows of a slot.
   *
   * @param changes number of captured changes; the other rows are the application's own
   * @param lookAlikes number of those other rows that have the members of a captured change
   */
  record StagedRows(int changes, int lookAlikes) {}

  /**
   * Applies all staged changes of slots before {@code end}, in the order of effects, and stores
   * {@code end} as its position, in one transaction.
   *
   * @return notes on tables that could not be rebuilt exactly
   */
  List<ReplayNote> apply(ReplayPosition end);

  /** Closes the target; changes that are not applied are dropped. */
  @Override
  void close();
}
