package dev.recorder.table;

import dev.recorder.reader.LogReadException;
import dev.recorder.time.WallClock;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;

/**
 * Brings a log's table up to date, and the tables of changes of its captured tables. For one
 * thread.
 */
public final class LogTable {
  private final LogAddress log;
  private final TableWriter writer;
  private final Appending appending;
  private final Merging merging;
  private final ChangeTables changes;
  private final TableSettings settings;

  /**
   * Creates a table whose state is not known yet. Sends no request.
   *
   * @param writer host and term, as information for people
   */
  public LogTable(LogAddress log, TableSettings settings, FileFormat format, String writer) {
    TablePlace place = TablePlace.of(log);
    CommitInfo info = new CommitInfo(writer, WallClock.system());
    this.log = log;
    this.settings = settings;
    this.writer = new TableWriter(place, format, info);
    this.merging = new Merging(place.layout(), settings, format, info);
    this.changes = new ChangeTables(log, settings, format, info);
    this.appending =
        new Appending(
            new TableCommits(place, null, settings.byDay(), info), settings, format, changes);
  }

  /**
   * The progress of the table.
   *
   * @param version number of the last commit
   * @param covered the last slot that the table covers
   * @param misfits number of values that did not fit their columns, since this object was created
   * @param skipped number of slots that had expired before the table had them, since this object
   *     was created
   */
  public record TableProgress(long version, long covered, long misfits, long skipped) {}

  /**
   * Appends the slots that the table lacks, and merges small files of days that are over.
   *
   * @param first the first slot that the log still has
   * @param last the last settled slot
   * @param goesOn asked before each commit whether to continue
   * @param room tests whether this many bytes of the heap may be used in total
   * @throws TableException if the table cannot be brought up to date
   * @throws LogReadException if the log cannot be read
   */
  public TableProgress bringUpTo(long first, long last, BooleanSupplier goesOn, LongPredicate room)
      throws TableException {
    try (LogFeed feed = new LogFeed(log, last)) {
      boolean more = true;
      while (more && goesOn.getAsBoolean()) {
        more = writer.commit(state -> appending.next(state, first, feed, room));
      }
    }
    BooleanSupplier merges = () -> goesOn.getAsBoolean() && room.test(settings.bytes() / 2);
    merging.all(writer, merges);
    changes.merge(merges);
    return new TableProgress(
        writer.state().version(),
        writer.state().covered(),
        appending.misfits() + changes.misfits(),
        appending.skipped());
  }
}
