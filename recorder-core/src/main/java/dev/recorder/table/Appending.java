package dev.recorder.table;

import dev.recorder.reader.LogSlot;
import java.time.LocalDate;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Makes the next commit that appends slots to a log's table: the creation of the table, or one file
 * with whole slots of one day. The changes in these slots are in their tables before. For one
 * thread.
 */
final class Appending {
  private final TableCommits commits;
  private final TableSettings settings;
  private final FileFormat format;
  private final ChangeTables changes;
  private long misfits;
  private long skipped;

  Appending(TableCommits commits, TableSettings settings, FileFormat format, ChangeTables changes) {
    this.commits = commits;
    this.settings = settings;
    this.format = format;
    this.changes = changes;
  }

  /** Returns the number of values in all proposals that did not fit their columns. */
  long misfits() {
    return misfits;
  }

  /** Returns the number of slots that had expired in the log before the table had them. */
  long skipped() {
    return skipped;
  }

  /**
   * Returns the commit that follows {@code state}; empty if the table has all settled slots, or if
   * another host has just written changes of the next slots.
   *
   * @param first the first slot that the log still has
   * @param room tests whether this many bytes of the heap may be used in total
   * @throws IllegalArgumentException if the table does not match the settings
   */
  Optional<Proposal> next(DeltaState state, long first, SlotFeed feed, LongPredicate room)
      throws TableException {
    if (!state.isThere()) {
      return Optional.of(commits.creation(settings.columns(), first - 1));
    } else if (state.isByDay() != settings.byDay()) {
      throw new IllegalArgumentException(
          "table_partition cannot be changed: the table is %sdivided by day"
              .formatted(state.isByDay() ? "" : "not "));
    }
    long from = state.covered() + 1;
    if (from < first) {
      skipped += first - from;
      return Optional.of(commits.skip(from, first - 1));
    }
    TableColumns columns = state.columns().with(settings.columns());
    RowsFile file = fill(from, columns, feed, room);
    if (file == null || !changes.commit()) {
      return Optional.empty();
    }
    RowsFile.Finished finished = file.finish();
    misfits += finished.misfits();
    return Optional.of(commits.append(state, columns, finished));
  }

  private @Nullable RowsFile fill(
      long from, TableColumns columns, SlotFeed feed, LongPredicate room) throws TableException {
    LogSlot slot = feed.get(from);
    if (slot == null) {
      return null;
    }
    LocalDate day = day(slot);
    RowsFile file = new RowsFile(format, columns, day);
    changes.begin(slot, day);
    do {
      file.add(slot);
      changes.add(slot);
      slot = feed.get(slot.slot() + 1);
    } while (slot != null
        && Objects.equals(day, day(slot))
        && file.slotBytes() + slot.bytes() <= settings.bytes()
        && !ChangeTables.isDefinedIn(slot)
        && room.test(file.bytes() + changes.bytes() + 2L * slot.bytes()));
    return file;
  }

  private @Nullable LocalDate day(LogSlot slot) {
    return settings.byDay() ? RowsFile.day(slot) : null;
  }
}
