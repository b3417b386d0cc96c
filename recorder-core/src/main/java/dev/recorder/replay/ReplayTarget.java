package dev.recorder.replay;

import dev.recorder.reader.LogSlot;
import java.util.List;
import java.util.Optional;

/**
 * A database in which tables are rebuilt from one log, by nobody else as long as it is open. For
 * one thread; throws {@link ReplayException}, or what its adapter says that the database throws.
 */
public interface ReplayTarget extends AutoCloseable {
  /** How far the log was replayed here before; empty if it never was. */
  Optional<ReplayPosition> position();

  /**
   * Takes a slot's changes, which show nowhere yet, and are forgotten if the target is closed
   * before they are applied. What it keeps of them is not in this process's memory.
   */
  StagedRows stage(LogSlot slot);

  /**
   * What a slot has.
   *
   * @param changes how many of its rows are captured changes; the others are somebody's own
   * @param lookAlikes how many of these others have the members of a captured change
   */
  record StagedRows(int changes, int lookAlikes) {}

  /**
   * Applies all staged changes of slots before {@code end}, in the order of effects, and notes
   * {@code end} as its position, in one transaction.
   *
   * @return what could not be rebuilt as it was
   */
  List<ReplayNote> apply(ReplayPosition end);

  /** Ends it; what is not applied is forgotten. */
  @Override
  void close();
}
